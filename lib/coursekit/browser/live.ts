// Live cells and the tracer: loaded when a reader first runs or edits a cell, or steps through code.
import { Chapter } from "./chapter.ts";
import type { LiveModule } from "./live_module.ts";
import { stepper } from "./stepper.ts";

let made: Chapter | null = null;

const module: LiveModule = {
  chapter: (data, bars, host) => (made ??= new Chapter(data, bars, host)),
  stepper,
};

window.coursekitLive = module;
