// A script of its own, for the few pages that have such a question.
import { kind } from "./match.ts";

(window.coursekitKinds ??= {})["match"] = kind;
