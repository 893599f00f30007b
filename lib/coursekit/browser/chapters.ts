// The pages that have exercises, as the build lists them: coursekit.page.progress.
import type { Store } from "./store.ts";

export interface Known {
  id: string;
  version: string;
}

export interface Chapter {
  file: string;
  title: string;
  exercises: Known[];
}

declare global {
  interface Window {
    /** File, title and exercises (`id@version`) of each page, in reading order. */
    coursekitPages?: [string, string, string[]][];
  }
}

export function chapters(): Chapter[] {
  const rows = window.coursekitPages ?? [];
  return rows.map(([file, title, exercises]) => ({ file, title, exercises: exercises.map(known) }));
}

export function known(text: string): Known {
  const [id, version] = text.split("@");
  return { id: id!, version: version! };
}

export const doneOf = (exercises: Known[], store: Store): number =>
  exercises.filter(({ id, version }) => store.read(id, version).done).length;

export const isFinished = ({ exercises }: Chapter, store: Store): boolean =>
  doneOf(exercises, store) === exercises.length;

/** Whether an address is the chapter's page. */
export const leadsTo = (pathname: string, { file }: Chapter): boolean => pathname.endsWith(`/${file}`);

/** The chapter whose page this is. */
export const chapterHere = (all: Chapter[]): Chapter | undefined =>
  all.find((chapter) => leadsTo(location.pathname, chapter));
