import { reduceBody } from "../../github/webhooks/accept-delivery.ts";
import { answerWork } from "../answer-work.ts";

answerWork(reduceBody);
