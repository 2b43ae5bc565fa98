import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { formatApp, registerApp } from "../resources/apps.ts";
import type { World } from "../state/world.ts";

type Env = { Bindings: HttpBindings };

const Manifest = z.object({
  name: z.string(),
  redirect_url: z.url(),
  callback_urls: z.array(z.url()).default([]),
  hook_attributes: z.object({ url: z.url() }).optional(),
  default_permissions: z.record(z.string(), z.enum(["read", "write"])),
  default_events: z.array(z.string()),
});

interface PendingApp extends z.infer<typeof Manifest> {
  /** Undefined: a personal account's. */
  readonly owner: string | undefined;
}

/**
 * The registration of an App from a manifest (https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest).
 * Where GitHub shows a page that asks for a name, this leads back at once. Each code can be exchanged once.
 */
export function addRegistrationRoutes(app: Hono<Env>, world: World): void {
  const pending = new Map<string, PendingApp>();
  const begin = async (c: Context<Env>) => {
    const { manifest } = await c.req.parseBody();
    const parsed = Manifest.safeParse(JSON.parse(String(manifest)));
    if (!parsed.success) return c.text("Invalid GitHub App configuration", 422);
    const code = world.random.text(40);
    pending.set(code, { ...parsed.data, owner: c.req.param("org") });
    const query = new URLSearchParams({ code, state: c.req.query("state") ?? "" });
    return c.redirect(`${parsed.data.redirect_url}?${query}`);
  };
  app.post("/settings/apps/new", begin);
  app.post("/organizations/:org/settings/apps/new", begin);
  app.post("/app-manifests/:code/conversions", async (c) => {
    const found = pending.get(c.req.param("code"));
    if (found === undefined) return c.json({ message: "Not Found" }, 404);
    pending.delete(c.req.param("code"));
    const { name, owner, hook_attributes, default_permissions: permissions, default_events: events } = found;
    const callbackUrls = found.callback_urls;
    const webhookUrl = hook_attributes?.url ?? null;
    const registered = await registerApp(world, {
      ...{ name, webhookUrl, permissions, events, callbackUrls },
      ...(owner !== undefined && { owner }),
    });
    const { privateKey: pem, webhookSecret: webhook_secret, clientSecret: client_secret } = registered;
    return c.json({ ...formatApp(world, registered), pem, webhook_secret, client_secret }, 201);
  });
}
