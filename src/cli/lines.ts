import { inputFile } from "./input-file.ts";

/** The lines of a file in UTF-8, without their ends; a file that ends in a line break has no empty line after it. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  for await (const chunk of inputFile(path).bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
