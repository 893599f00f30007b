// Which part of the plane is shown: a square around the origin, or one that fits what is in it.
export type Point = readonly [number, number];

/** A square: its centre, half its side, and the distance of its grid lines. */
export interface Frame {
  centre: Point;
  half: number;
  every: number;
}

export type FrameFor = (points: readonly Point[]) => Frame;

/** A square around the origin: half its side is 1, 1.5, 2 … with room around all points. */
export const centred =
  (least: number): FrameFor =>
  (points) => {
    const furthest = Math.max(...points.flat().map(Math.abs));
    const half = Math.max(least, Math.ceil(2 * furthest + 0.2) / 2);
    return { centre: [0, 0], half, every: half <= 4 ? 1 : Math.ceil(half / 4) };
  };

const ROOM = 0.08; // of the extent, beyond the outermost points
const LINES = 6;

/** The smallest square between grid lines that has the origin, all points and room around them. */
export const fitted: FrameFor = (points) => {
  const axes = [0, 1].map((axis) => {
    const along = points.map((point) => point[axis]!);
    return [Math.min(0, ...along), Math.max(0, ...along)] as const;
  });
  const extent = Math.max(0.1, ...axes.map(([low, high]) => high - low));
  const every = nice(extent / LINES);
  const ends = axes.map(([low, high]) => [
    Math.floor((low - ROOM * extent) / every),
    Math.ceil((high + ROOM * extent) / every),
  ]);
  const steps = Math.max(...ends.map(([low, high]) => high! - low!));
  const centre = ends.map(([low]) => (low! + steps / 2) * every);
  return { centre: [centre[0]!, centre[1]!], half: (steps / 2) * every, every };
};

/** The first of 1, 2, 5, 10 … times a power of ten that is not below `least`. */
function nice(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((n) => n * power >= least * (1 - 1e-9))!;
}
