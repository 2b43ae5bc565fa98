const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
};

const decode = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (all, name: string) => ENTITIES[name] ?? all);

/** What of a page leads elsewhere, and what of it can be led to. */
interface Page {
  readonly status: number;
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
}

export interface CrawlOptions {
  /** Origins whose pages are followed. */
  readonly origins: readonly string[];
  readonly load: (url: URL) => Promise<Response>;
  /** Returns the kind of a page, and how many pages of that kind are loaded at most. */
  readonly sample: (url: URL) => { readonly kind: string; readonly most: number };
}

export interface CrawlResult {
  /** "URL of the link on URL of the page: what is wrong", sorted. */
  readonly problems: readonly string[];
  /** Links to other hosts. */
  readonly external: readonly string[];
  /** Kinds of pages that were loaded. */
  readonly kinds: ReadonlyMap<string, number>;
}

/** Follows the links of these pages. Every link must lead to a page with status 200 that has the link's fragment. */
export async function crawl(starts: readonly string[], options: CrawlOptions): Promise<CrawlResult> {
  const pages = new Map<string, Page>();
  const kinds = new Map<string, number>();
  const problems = new Set<string>();
  const external = new Set<string>();
  const waiting = starts.map((url) => ({ url: new URL(url), from: "the start" }));
  /** Null: there are enough pages of its kind. */
  const open = async (address: string, url: URL): Promise<Page | null> => {
    const { kind, most } = options.sample(url);
    const number = kinds.get(kind) ?? 0;
    if (number >= most) return null;
    kinds.set(kind, number + 1);
    const page = await loadPage(options, address);
    pages.set(address, page);
    for (const link of page.links)
      if (URL.canParse(link, address)) waiting.push({ url: new URL(link, address), from: address });
      else problems.add(`${link} on ${address}: no address`);
    return page;
  };
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { url, from } = next;
    if (!options.origins.includes(url.origin)) {
      if (url.protocol !== "data:") external.add(url.href);
      continue;
    }
    const address = url.href.split("#")[0] ?? "";
    const page = pages.get(address) ?? (await open(address, url));
    const problem = page === null ? null : findProblem(page, decodeURIComponent(url.hash.slice(1)));
    if (problem !== null) problems.add(`${url.href} on ${from}: ${problem}`);
  }
  return { problems: [...problems].toSorted(), external: [...external].toSorted(), kinds };
}

function findProblem({ status, ids }: Page, fragment: string): string | null {
  if (status !== 200) return String(status);
  return listIds(fragment).every((id) => ids.has(id)) ? null : "nothing there has the id of the fragment";
}

/** GitHub marks a range of lines by "L10-L12". */
const listIds = (fragment: string): readonly string[] =>
  fragment === "" ? [] : /^L\d+-L\d+$/.test(fragment) ? fragment.split("-") : [fragment];

async function loadPage({ load }: CrawlOptions, address: string): Promise<Page> {
  const answer = await load(new URL(address));
  if (!answer.headers.get("content-type")?.startsWith("text/html")) {
    await answer.body?.cancel();
    return { status: answer.status, ids: new Set(), links: [] };
  }
  const text = (await answer.text()).replaceAll(/<style>.*?<\/style>/gs, "");
  const read = (attribute: RegExp) => [...text.matchAll(attribute)].map(([, value = ""]) => decode(value));
  return {
    status: answer.status,
    ids: new Set(read(/\sid="([^"]*)"/g)),
    links: read(/\s(?:href|src)="([^"]*)"/g),
  };
}
