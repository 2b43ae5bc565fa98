import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{readSettings}from"./chunk-R4HMJF4N.js";import{TollgateError,external_exports}from"./chunk-AX2I6GI4.js";var HONOURED=["ALWAYS_CHECK","GHE_HOST","GHE_PROTOCOL","GITHUB_WRITE_SPACING_MS","LOG_LEVEL","ORG_POLICY","TEMPLATES_DIR",
"TOLLGATE_SETTINGS"];var HttpUrl=external_exports.url({protocol:/^https?$/}).transform(url=>url.replace(/\/+$/,""));var readCiEnvironment=()=>process.
env;function readCiSettings(environment,{publicFigures}){const honoured=Object.fromEntries(HONOURED.map(name=>[name,environment[name]]));
const settings=readSettings({LOG_LEVEL:"error",...dropEmpty(honoured)},{withTargets:false});const{operator}=settings;const text=name=>environment[name]||
null;return{settings:{...settings,laneSpacingMs:0,operator:{...operator,public_figures:operator.public_figures||publicFigures}},
repository:text("GITHUB_REPOSITORY"),token:text("GITHUB_TOKEN")??text("GH_TOKEN"),apiUrl:readUrl(environment,"GITHUB_API\
_URL"),pagesUrl:readUrl(environment,"GITHUB_SERVER_URL"),eventName:text("GITHUB_EVENT_NAME"),eventPath:text("GITHUB_EVEN\
T_PATH")}}var dropEmpty=environment=>Object.fromEntries(Object.entries(environment).filter(([,value])=>value));function readUrl(environment,name){
const text=environment[name];if(text===void 0||text==="")return null;const parsed=HttpUrl.safeParse(text);if(parsed.success)
return parsed.data;throw new TollgateError("settings_invalid",`${name}: is ${JSON.stringify(text)}, must be a URL that s\
tarts with http:// or https://`,{hint:"GitHub's runner sets it; elsewhere set GHE_HOST, or leave both unset for github.c\
om."})}export{readCiEnvironment,readCiSettings};
