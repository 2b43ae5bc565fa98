import { expect, test } from "vitest";
import { renderMarkdown } from "../../src/web/page/markdown.ts";

/** With a short form of icons. */
const render = (text: string): string =>
  String(renderMarkdown(text)).replaceAll(
    /<span class="mark (\w+)"><svg class="icon ([\w-]+)".*?<\/svg><\/span>/g,
    "<i>$2 $1</i>",
  );

test("marks of the comment are icons in texts, and stay as they are in attributes", () => {
  expect(render("✅ passed, ⚠️ warned")).toBe(
    "<p><i>check-circle-fill success</i> passed, <i>alert-fill attention</i> warned</p>",
  );
  expect(render('<a title="✅ fine" href="https://example.com/⛔">a</a>')).not.toContain("<i>");
  expect(render("`✅`")).toBe("<p><code><i>check-circle-fill success</i></code></p>");
});

test("no markup of a text survives, also beside a mark", () => {
  expect(render("✅<script>alert(1)</script><b onclick=x>y</b>")).toBe(
    "<p><i>check-circle-fill success</i><b>y</b></p>",
  );
});
