import { z } from "zod";

interface Ask {
  readonly method?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `fetch`, or what takes its place. */
type SendRequest = (url: URL | string, init?: RequestInit) => Promise<Response>;

const Cookie = z.tuple([z.string(), z.string()]);

/** A person with a browser: keeps its cookies and follows no redirect by itself. */
export class Visitor {
  /** By name. */
  readonly cookies = new Map<string, string>();
  readonly #url: string;
  readonly #github: string;
  readonly #fetch: SendRequest;

  /** `url`: root of the pages; `github`: root of the sandbox GitHub. */
  constructor(url: string, github: string, send: SendRequest = fetch) {
    this.#url = url;
    this.#github = github;
    this.#fetch = send;
  }

  /** The cookies as a header has them. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** The cookies as Playwright's `context.addCookies` takes them. */
  get browserCookies(): { name: string; value: string; url: string }[] {
    return [...this.cookies].map(([name, value]) => ({ name, value, url: this.#url }));
  }

  /** Asks for a path of the pages. Forms are sent from a page of ours, unless `headers` say otherwise. */
  async opens(path: string, { method = "GET", form, headers = {} }: Ask = {}): Promise<Response> {
    const answer = await this.#fetch(new URL(path, this.#url), {
      method,
      redirect: "manual",
      headers: {
        ...(this.cookies.size === 0 ? {} : { cookie: this.cookie }),
        ...(method === "GET" ? {} : { origin: new URL(this.#url).origin }),
        ...headers,
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    return answer;
  }

  /** The text of a page. */
  async reads(path: string): Promise<string> {
    return (await this.opens(path)).text();
  }

  /** What the person sees after having clicked "Sign in with GitHub" and chosen who they are there. */
  async signsIn(login: string, returnTo = "/"): Promise<Response> {
    return this.opens(await this.authorizes(await this.startsSignIn(returnTo), login));
  }

  /** The page of GitHub to which the sign-in leads. */
  async startsSignIn(returnTo = "/"): Promise<string> {
    const started = await this.opens(`/sign-in/start?return_to=${encodeURIComponent(returnTo)}`);
    return started.headers.get("location") ?? "";
  }

  /** Where GitHub leads back to when the person authorizes the App; an empty login cancels. */
  async authorizes(address: string, login: string): Promise<string> {
    const { searchParams } = new URL(address);
    const body = new URLSearchParams({ ...Object.fromEntries(searchParams), login });
    const at = `${this.#github}/login/oauth/authorize`;
    const answer = await this.#fetch(at, { method: "POST", body, redirect: "manual" });
    return answer.headers.get("location") ?? "";
  }

  /** The form token that a page has. */
  async findFormToken(path = "/"): Promise<string> {
    return /name="form_token" value="([^"]*)"/.exec(await this.reads(path))?.[1] ?? "";
  }

  async signsOut(): Promise<Response> {
    const form = { form_token: await this.findFormToken() };
    return this.opens("/sign-out", { method: "POST", form });
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(/;\s*/);
    const [name, value] = Cookie.parse([pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
    const isGone = attributes.some((one) => /^max-age=0$/i.test(one));
    if (isGone) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
