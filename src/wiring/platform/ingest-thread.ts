import { readIngest } from "../../platform-server/executions/ingest.ts";
import { answerWork } from "../answer-work.ts";

answerWork(readIngest);
