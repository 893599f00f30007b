// The buttons that take work out of the browser; what they do is loaded when it is asked for.
import { button, liveRegion, h } from "./dom.ts";
import { load, notLoaded } from "./load.ts";
import { isBegun } from "./store.ts";
import type { Kit, TransferModule } from "./transfer.ts";
import type { ExerciseData } from "./types.ts";

const transfer = async (script: string): Promise<TransferModule | undefined> =>
  (await load(script)) ? window.coursekitTransfer : undefined;

/** On a chapter's page: its notebook with the answers, for a course that grades it. */
export function offerNotebook(exercises: ExerciseData[], { store }: Kit, script: string): void {
  const line = document.querySelector<HTMLElement>(".ck-progress[data-notebook]");
  if (!line || exercises.length === 0) return;
  const said = liveRegion("ck-said");
  const take = async () => {
    said.textContent = "";
    const module = await transfer(script);
    const address = new URL(line.dataset["notebook"]!, location.href).href;
    const work = exercises.map((data) => ({ data, memory: store.read(data.id, data.version) }));
    said.textContent = module
      ? await module.handIn(address, work)
      : notLoaded("What fills the notebook", "press the button again");
  };
  const press = button("Hand in as a notebook", "ck-plain", () => void take());
  const place = h("span", { class: "ck-forget" }, press);
  const update = () => {
    place.hidden = !exercises.some(({ id, version }) => isBegun(store.read(id, version)));
  };
  update();
  store.onChange(update);
  line.append(place, said);
}

/** Below the path: all progress as a file, for another browser or for safety. */
export async function offerFile(kit: Kit, script: string): Promise<void> {
  const tables = [...document.querySelectorAll<HTMLElement>(".ck-path")];
  if (tables.length === 0) return;
  const module = await transfer(script);
  for (const table of tables) {
    const place = h("div", { class: "ck-files" });
    table.insertBefore(place, table.querySelector(":scope > .ck-forget"));
    if (module) module.fileControls(place, kit);
    else place.textContent = notLoaded("Saving progress to a file", "reload the page");
  }
}
