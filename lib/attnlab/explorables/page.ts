// All explorables as custom elements, for the pages of the book.
import * as contextVector from "./context_vector/context_vector.ts";
import { define } from "./host.ts";
import * as maskPaint from "./mask_paint/mask_paint.ts";
import * as reach from "./reach/reach.ts";
import * as selfCross from "./self_cross/self_cross.ts";
import * as softDictionary from "./soft_dictionary/soft_dictionary.ts";
import * as windowMask from "./window_mask/window_mask.ts";

define("attn-context-vector", contextVector.render);
define("attn-mask-paint", maskPaint.render);
define("attn-reach", reach.render);
define("attn-self-cross", selfCross.render);
define("attn-soft-dictionary", softDictionary.render);
define("attn-window-mask", windowMask.render, ["global_tokens"]);
