/** The one mistake that an answer shows; null where several fit, as in coursekit.judge.which. */
export function which<T extends { id: string }>(mistakes: T[], fits: (mistake: T) => boolean): string | null {
  const fitting = mistakes.filter(fits);
  return fitting.length === 1 ? fitting[0]!.id : null;
}
