// A script of its own, for the few pages that have such a question.
import { kind } from "./parsons.ts";

(window.coursekitKinds ??= {})["parsons"] = kind;
