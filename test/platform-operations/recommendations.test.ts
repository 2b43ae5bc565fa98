import { recommendations } from "../../src/platform/contract/recommendations.ts";
import { recommendationCases } from "./recommendations.ts";
import { playOperations } from "./run.ts";

playOperations(recommendations, recommendationCases);
