// All explorables as custom elements, for the pages of the book.
import * as contextVector from "./context_vector/context_vector.ts";
import { define } from "./host.ts";

define("attn-context-vector", contextVector.defaults, contextVector.render);
