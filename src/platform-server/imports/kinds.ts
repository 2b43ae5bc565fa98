import type { ImportKindName } from "../../platform/contract/imports.ts";
import type { ImportKind } from "./import-kind.ts";

/** Everything that can be imported, by name. */
export const KINDS: { readonly [Name in ImportKindName]?: ImportKind } = {};
