import type { RenderPage } from "../page/page-renderer.ts";

/** Why a sign-in did not work. */
export type SignInProblem = "too_often" | "not_begun" | "denied" | "rejected" | "unavailable";

export const renderSignInPage = (render: RenderPage, startUrl: string): string =>
  render({ title: "Sign in", template: "sign-in", view: { startUrl }, ...NO_READER });

/** The page while the operator has not enabled sign-in. */
export const renderDisabledPage = (render: RenderPage): string =>
  render({ title: "Sign-in is not enabled", template: "sign-in-disabled", view: {}, ...NO_READER });

export const renderProblemPage = (render: RenderPage, problem: SignInProblem): string =>
  render({ title: "Sign in", template: "sign-in-problem", view: { problem }, ...NO_READER });

const NO_READER = { trail: [], reader: null } as const;
