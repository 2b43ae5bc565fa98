import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { html } from "hono/html";
import type { Account } from "../state/records.ts";
import { findAccount, type World } from "../state/world.ts";
import type { Html } from "./layout.ts";

type Env = { Bindings: HttpBindings };

/** Cookies do not know ports: the bot under test, on another port of this host, gets it too. */
const COOKIE = "sandbox_github_login";
const PATH = "/-/person";

/** Returns as whom the visitor acts; null: nobody is chosen yet. */
export const findPerson = (world: World, c: Context<Env>): Account | null =>
  listPeople(world).find(({ login }) => login === getCookie(c, COOKIE)) ?? null;

/** The people as whom a visitor may act. */
const listPeople = (world: World): readonly Account[] =>
  world.cast.size > 0
    ? [...world.cast.keys()].map((id) => world.accounts.require(id))
    : world.accounts.filter(({ type }) => type === "User");

/** Stores the choice and leads back. There are no passwords: the sandbox listens on loopback only. */
export function addPersonRoute(app: Hono<Env>, world: World): void {
  app.post(PATH, async (c) => {
    if (!isOwnForm(world, c)) return c.text(FOREIGN_FORM, 403);
    const { login, to } = await c.req.parseBody();
    const target = URL.parse(String(to), world.origin());
    if (typeof login === "string" && findAccount(world, login) !== null)
      setCookie(c, COOKIE, login, { path: "/", httpOnly: true, sameSite: "Lax" });
    return c.redirect(target?.origin === world.origin() ? target.href : "/", 303);
  });
}

/** Whether a page of this sandbox sent the form. Browsers state the origin of each form, and no page can forge it. */
export const isOwnForm = (world: World, c: Context<Env>): boolean =>
  c.req.header("origin") === world.origin();

export const FOREIGN_FORM =
  "Forms are taken from pages of this sandbox only, at the address that it printed.";

/** Renders the menu at the top of a page: as whom the visitor acts, and who else there is. */
export const personMenu = (world: World, person: Account | null, to: string): Html =>
  html`<details class="who"><summary>${person === null ? "Choose who you are" : html`${avatar(person, 20)} <b>${person.login}</b>`}</summary>${personList(world, person, to)}</details>`;

/** Renders a button for each person. */
export const personList = (world: World, person: Account | null, to: string): Html =>
  html`<form class="people card" method="post" action="${PATH}"><input type="hidden" name="to" value="${to}">
${listPeople(world).map((one) => html`<button name="login" value="${one.login}"${one.id === person?.id && html` aria-current="true"`}>${avatar(one, 24)}<span><b>${one.login}</b> <span class="quiet">${world.cast.get(one.id)}</span></span></button>`)}
</form>`;

const avatar = ({ id }: Account, size: number): Html =>
  html`<img class="avatar" src="/-/avatars/${id}.svg" width="${size}" height="${size}" alt="">`;
