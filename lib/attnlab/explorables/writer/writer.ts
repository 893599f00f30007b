// A small GPT writes: a recorded run at first, then the model itself.
import { fromBase64 } from "../text.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { FAILED, fetched, hindrance, liveModel } from "./live.ts";
import { beginningsOf, type Text } from "./beginnings.ts";
import { Panel, type Settings } from "./panel.ts";
import { type Recorded, recordedRun } from "./recorded.ts";
import style from "./writer.css";

export interface State extends Common {
  /** How texts may begin; the first one was recorded. Layer and head count from 1, 0 follows. */
  beginnings: readonly Text[];
  temperature: number;
  layer: number;
  head: number;
  vocabulary: readonly string[];
  /** Layers, and heads in each. */
  heads: readonly [number, number];
  recorded: Recorded;
  /** In a notebook, whether the model is asked for, and its file in base64. */
  wanted: boolean;
  weights: string;
}

const settingsOf = ({ temperature, layer, head }: State): Settings => ({
  temperature,
  head: layer > 0 && head > 0 ? [layer - 1, head - 1] : undefined,
});

function build(context: Context<State>): Built<State> {
  const { vocabulary, heads, recorded, beginnings: texts } = context.state();
  const beginnings = beginningsOf(texts, vocabulary);
  const changed = ({ temperature, head }: Settings): void =>
    context.change({ temperature, layer: head ? head[0] + 1 : 0, head: head ? head[1] + 1 : 0 });
  const run = recordedRun(vocabulary, heads, recorded);
  const panel = new Panel(run, beginnings, settingsOf(context.state()), changed);
  void panel.begin(beginnings[0]!);
  const take = (file: ArrayBuffer): void => void panel.use(liveModel(vocabulary, heads, file));
  const cannot = hindrance();
  if (cannot) panel.tell(cannot);
  else if (cannot === "") fetched().then(take, () => panel.tell(FAILED));
  else queueMicrotask(() => context.change({ wanted: true }));
  let given = "";
  return {
    parts: [panel.element],
    update(now) {
      panel.set(settingsOf(now));
      if (now.weights === given) return;
      given = now.weights;
      take(fromBase64(given));
    },
  };
}

export default explorable<State>({
  name: "A small GPT writes a fable",
  shows: ["beginnings", "temperature", "layer", "head", "vocabulary", "heads", "recorded", "wanted", "weights"],
  answers: ["temperature"],
  style,
  build,
  // The whole recorded run, as if it had been given.
  paper({ beginnings: [first], recorded: { tokens }, vocabulary }) {
    const text = tokens.slice(1, -1).map((token) => vocabulary[token]).join(" ");
    return { beginnings: [{ ...first!, text, given: first!.text.split(" ").length }] };
  },
});
