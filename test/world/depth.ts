import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is `npm run test:deep`. */
    isDeep: boolean;
    /** How long a hook may last. */
    hookTimeoutMs: number;
  }
}

/** How many generated cases a model or fuzzer tries: `deep` by `npm run test:deep`, `usual` otherwise. */
export const casesToTry = ({ usual, deep }: { usual: number; deep: number }): number =>
  inject("isDeep") ? deep : usual;
