import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{NOTIFICATION_EVENTS,SCOPE_NAME,TARGET_NAME,TARGET_NAME_RULE,TollgateError,describeGlobProblem,external_exports,isPlatformId,
isScopeName,parseDecimal,require_dist}from"./chunk-AX2I6GI4.js";import{__toESM}from"./chunk-MEAQO6XE.js";import{existsSync,readFileSync}from"node:fs";import{loadEnvFile}from"node:process";var PARSE_OPTIONS={error:issue=>describeIssue(issue)};var describeIssue=issue=>{if(issue.code==="unrecognized_keys")return`\
there is no member ${issue.keys.join(", ")}`;const expected=describeExpectation(issue);if(expected===void 0)return void 0;
return issue.input===void 0?`is missing; expected ${expected}`:`expected ${expected}`};function describeExpectation(issue){
switch(issue.code){case"invalid_type":return TYPES[issue.expected];case"invalid_value":return formatChoice(issue.values.
map(String));case"invalid_format":return issue.format==="date"?"a day that exists, such as 2026-01-31":void 0;case"too_s\
mall":return formatSize(issue.origin,"at least",issue.minimum);case"too_big":return formatSize(issue.origin,"at most",issue.
maximum);default:return void 0}}var TYPES={string:"a text",number:"a number",int:"a whole number",boolean:"true or false",
array:"a list",object:"an object",record:"an object",null:"null"};function formatChoice(values){const[only]=values;return values.
length===1?`${only}`:`one of ${values.join(", ")}`}var UNITS={string:["character","characters"],array:["item","items"]};
function formatSize(origin,words,limit){const[one="",many=""]=UNITS[origin]??[];return`${words} ${limit} ${limit===1?one:
many}`.trimEnd()}var MIN_LENGTH=20;var WEBHOOK_SECRET_RULE=`a random text of at least ${MIN_LENGTH} characters, the same as in the GitHub\
 App's settings`;function findSecretWeakness(secret){if(secret===void 0||secret.trim()==="")return"is not set";if(secret===
"development")return'is "development", which everybody knows';if(secret.length<MIN_LENGTH)return`has fewer than ${MIN_LENGTH}\
 characters`;return new Set(secret).size<5?"repeats the same few characters":null}function chooseIssuer(named,githubUrl){if(named!==void 0)return named==="none"?null:named;const{host,origin}=new URL(githubUrl??
"https://github.com");if(host==="github.com")return"https://token.actions.githubusercontent.com";return host.endsWith(".\
ghe.com")?`https://token.actions.${host.replace(/^api\./,"")}`:`${origin}/_services/token`}var import_yaml=__toESM(require_dist(),1);function parseHost(url){const parsed=URL.parse(url);if(parsed===null||!/^https?:$/.test(parsed.protocol))return null;const name=parsed.
hostname.replace(/\.$/,"");return parsed.port===""?name:`${name}:${parsed.port}`}var canonicalizeHost=text=>/^[^\s/?#@\\%]+$/.
test(text)?parseHost(`https://${text}`):null;function isPlainOrigin(origin){const host=parseHost(origin);const match=/^(https?):\/\/(.*)$/i.
exec(origin);if(host===null||match===null)return false;const[,scheme="",authority=""]=match.map(part=>part.toLowerCase());
return authority===host||authority===`${host}:${scheme==="https"?443:80}`}var NumericId=external_exports.int().positive();var Amount=external_exports.string("must be an amount such as 500 USD").
regex(/^(0|[1-9]\d{0,14})(\.\d{1,12})? [A-Z]{3}$/,{error:"must be an amount such as 500 USD",abort:true}).transform(text=>{
const[amount="",currency=""]=text.split(" ");return{amount:parseDecimal(amount),currency}});var Percent=external_exports.
string("must be a percentage such as 20%").regex(/^(0|[1-9]\d{0,6})(\.\d{1,6})?%$/,{error:"must be a percentage such as \
20%",abort:true}).transform(text=>parseDecimal(text.slice(0,-1)));var LOOPBACK=["127.0.0.1","localhost","[::1]"];function isConfidential(text){
const url=URL.parse(text);return url!==null&&(url.protocol==="https:"||LOOPBACK.includes(url.hostname))}var NOT_A_URL="m\
ust be a URL that starts with https://, without user and password";var HttpUrl=external_exports.string(NOT_A_URL).refine(
text=>{const url=URL.parse(text);return url!==null&&/^https?:$/.test(url.protocol)&&url.username===""&&url.password===""},
NOT_A_URL);var SecretUrl=HttpUrl.refine(isConfidential,NOT_A_URL);var SmtpUrl=external_exports.string("must be a URL suc\
h as smtps://user:password@mail.example.com").refine(text=>/^smtps?:\/\/[^/?#]+\/?$/.test(text)&&URL.canParse(text),{error:"\
must be a URL such as smtps://user:password@mail.example.com, without a path or options"});var Address=external_exports.
string("must be an e-mail address such as finops@example.com").max(254).regex(/^[^\s<>,;:"'()[\]\\@\p{Cc}]+@[^\s<>,;:"'()[\]\\@\p{Cc}]+$/u,
{error:"must be an e-mail address such as finops@example.com, without a name"});var common={name:external_exports.string().
regex(TARGET_NAME,`must be ${TARGET_NAME_RULE}`),on:external_exports.array(external_exports.enum(NOTIFICATION_EVENTS)).max(
NOTIFICATION_EVENTS.length).default([]),above:Amount.optional(),off_by:Percent.prefault("20%"),owners:external_exports.array(
NumericId).max(1e3).default([]),repositories:external_exports.array(NumericId).max(1e3).default([]),teams:external_exports.
array(external_exports.string().regex(/^[a-z0-9][a-z0-9_-]{0,99}$/,"must be a team's slug such as finops")).max(100).default(
[]),digest:external_exports.enum(["daily","none"]).default("none"),per_minute:external_exports.int().min(1).max(600).default(
20)};var SharedSecret=external_exports.string("must be a text of 24 to 4096 characters").min(24,"must have at least 24 c\
haracters that cannot be guessed").max(4096,"must have at most 4096 characters");var NotificationTarget=external_exports.
discriminatedUnion("kind",[external_exports.strictObject({kind:external_exports.literal("slack"),url:SecretUrl,...common}),
external_exports.strictObject({kind:external_exports.literal("teams"),url:SecretUrl,...common}),external_exports.strictObject(
{kind:external_exports.literal("email"),smtp:SmtpUrl,from:Address,to:external_exports.array(Address).min(1).max(50),...common}),
external_exports.strictObject({kind:external_exports.literal("webhook"),url:HttpUrl,secret:SharedSecret,...common})]);var Notifications=external_exports.
strictObject({targets:external_exports.array(NotificationTarget).max(50).default([]).refine(targets=>new Set(targets.map(
({name})=>name)).size===targets.length,{error:"two targets have the same name"})}).default({targets:[]});var REFERRING=[
"url","secret","smtp"];var Reference=external_exports.strictObject({env:external_exports.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)});
var FileWithTargets=external_exports.looseObject({notifications:external_exports.looseObject({targets:external_exports.array(
external_exports.looseObject({}))})});function resolveEnvironment(file,environment){const parsed=FileWithTargets.safeParse(
file);if(!parsed.success)return{file,problems:[]};const{notifications,...others}=parsed.data;if(environment===null)return{
file:others,problems:[]};const resolved=notifications.targets.map(target=>resolveTarget(target,environment));return{file:{
...others,notifications:{...notifications,targets:resolved.map(({target})=>target)}},problems:resolved.flatMap(({unset},at)=>unset.
map(([member,name])=>`notifications.targets.${at}.${member}: ${name} is not set`))}}function resolveTarget(target,environment){
const references=REFERRING.flatMap(member=>{const parsed=Reference.safeParse(target[member]);return parsed.success?[[member,
parsed.data.env]]:[]});const values=references.map(([member,name])=>[member,environment[name]??""]);return{target:{...target,
...Object.fromEntries(values)},unset:references.filter(([,name])=>(environment[name]??"")==="")}}var DAY_MS=864e5;var days=least=>{const words=`must be a number of days such as ${least}d or more`;return external_exports.
string(words).regex(/^[1-9]\d{0,4}d$/,{error:words,abort:true}).transform(text=>Number(text.slice(0,-1))*DAY_MS).refine(
ms=>ms>=least*DAY_MS,`must be ${least}d or more`)};var Retention=external_exports.strictObject({evaluations:days(31).prefault(
"400d"),plan_rows:days(15).prefault("31d"),deliveries:days(3).prefault("7d")}).refine(({evaluations,plan_rows})=>evaluations>=
plan_rows,{path:["evaluations"],error:"must not be shorter than plan_rows"});import{isIP}from"node:net";var HOST=/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i;function isTarget(text){const[address="",bits,more]=text.split("/");const family=isIP(
address);if(family===0)return bits===void 0&&HOST.test(text)&&!/^[0-9.]+$/.test(text);const most=family===6?128:32;return more===
void 0&&(bits===void 0||/^\d{1,3}$/.test(bits)&&Number(bits)<=most)}var WebhookTarget=external_exports.string().refine(isTarget,
"must be an address, a network such as 10.0.0.0/8, or a host such as hooks.internal or *.internal");var Host=external_exports.string().transform((text,context)=>{const host=canonicalizeHost(text);if(host!==null)return host;
context.addIssue({code:"custom",message:"must be a host such as ci.example.com, with the port if there is one"});return external_exports.
NEVER});var NumericId2=external_exports.int().positive();var TeamName=external_exports.string().regex(/^[A-Za-z\d](?:[A-Za-z\d-]{0,38})\/[A-Za-z\d_-]{1,255}$/,
"must be organisation/team, by the team's slug");var PlatformId=external_exports.string().refine(isPlatformId,"must be 1\
 to 128 letters, digits or _ . $ -");var ScopeName=external_exports.string().refine(isScopeName,`must be ${SCOPE_NAME}`);
var UnitMetric=external_exports.strictObject({metric:PlatformId,workspaces:external_exports.array(PlatformId).min(1).max(
100).optional()});var Perspective=external_exports.union([PlatformId.transform(id=>({id,workspaces:void 0})),external_exports.
strictObject({id:PlatformId,workspaces:external_exports.array(PlatformId).min(1).max(100)})],{error:"a perspective's id,\
 or { id, workspaces } with 1 to 100 workspaces"});var CLOUDS={CLOUD_1:"CLOUD_1",CLOUD_2:"CLOUD_2",CLOUD_3:"CLOUD_3",AWS:"\
CLOUD_1",AZURE:"CLOUD_2",GCP:"CLOUD_3"};var CLOUD_WORDS=Object.keys(CLOUDS);var Cloud=external_exports.enum(CLOUD_WORDS).
transform(word=>CLOUDS[word]);var PipelineGlob=external_exports.string().superRefine((pattern,context)=>{const problem=describeGlobProblem(
pattern);if(problem!==null)context.addIssue({code:"custom",message:`the pattern ${problem}`})});var Grant=external_exports.
strictObject({owner:NumericId2,repository:NumericId2.optional(),org:PlatformId,project:PlatformId.optional(),perspectives:external_exports.
array(Perspective).max(100).default([]),cloud_accounts:external_exports.array(external_exports.string().min(1).max(1024)).
max(1e3).default([]),governed_clouds:external_exports.array(Cloud).default([]),unit_metrics:external_exports.array(UnitMetric).
max(20).default([])});var OperatorKeys=external_exports.strictObject({grants:external_exports.array(Grant).default([]),cost_currency:external_exports.
string().regex(/^[A-Z]{3}$/,"must be a currency code such as USD").default("USD"),passing_statuses:external_exports.array(
external_exports.string().min(1).max(64)).min(1).default(["SUCCESS"]),after_merge:external_exports.strictObject({compare_after_days:external_exports.
int().min(0).max(365).default(7),mark_recommendations:external_exports.boolean().default(false)}).default({compare_after_days:7,
mark_recommendations:false}),other_pipelines:external_exports.array(external_exports.strictObject({org:PlatformId,project:PlatformId.
optional(),pipeline:PipelineGlob})).default([]),trusted_posters:external_exports.strictObject({users:external_exports.array(
NumericId2).default([]),apps:external_exports.array(NumericId2).default([])}).default({users:[],apps:[]}),admins:external_exports.
strictObject({users:external_exports.array(NumericId2).max(1e3).default([]),teams:external_exports.array(TeamName).max(20).
default([])}).default({users:[],teams:[]}),platform_hosts:external_exports.array(Host).default([]),public_figures:external_exports.
boolean().default(false),push_disabled:external_exports.array(external_exports.strictObject({org:ScopeName,project:ScopeName})).
optional(),webhook_targets:external_exports.strictObject({allow:external_exports.array(WebhookTarget).default([])}).default(
{allow:[]}),webhook_identity:external_exports.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/,"must be 1 to 32 letters, di\
gits or -, a letter first").optional(),retention:Retention.prefault({}),notifications:Notifications,webhook_secrets:external_exports.
record(PlatformId,external_exports.string().min(16).max(4096)).default({})});var OperatorFile=OperatorKeys.refine(({retention,
after_merge})=>retention.evaluations>after_merge.compare_after_days*DAY_MS,{path:["retention","evaluations"],error:"must\
 be longer than after_merge.compare_after_days"});function parseOperatorFile(text,environment={}){const document=(0,import_yaml.parseDocument)(
text,{uniqueKeys:true,maxAliasCount:0});const syntax=document.errors.map(error=>error.message.split("\n",1)[0]??"not YAM\
L");if(syntax.length>0)return{state:"invalid",problems:syntax};const{file,problems}=resolveEnvironment(document.toJS({maxAliasCount:0})??
{},environment);if(problems.length>0)return{state:"invalid",problems};const parsed=OperatorFile.safeParse(file,PARSE_OPTIONS);
if(parsed.success)return{state:"ok",file:parsed.data};return{state:"invalid",problems:parsed.error.issues.map(issue=>`${issue.
path.join(".")||"the file"}: ${issue.message}`)}}import{createPrivateKey,createPublicKey}from"node:crypto";function findKeyProblem(pem){if(!pem.includes("-----BEGIN"))return`\
is not a PEM private key; ${EXPECTED}`;if(pem.includes("-----BEGIN OPENSSH PRIVATE KEY-----"))return`is an OpenSSH key; ${EXPECTED}`;
if(pem.includes("ENCRYPTED"))return`is encrypted with a passphrase; ${EXPECTED}`;const type=readKeyType(pem);if(type==="\
rsa")return null;if(type!==null)return`is a private key of the type ${type}; ${EXPECTED}`;return isPublicKey(pem)?`is a \
public key or a certificate; ${EXPECTED}`:`is damaged or incomplete; ${EXPECTED}`}var EXPECTED="expected the RSA private\
 key (.pem) that GitHub generated for the App";function readKeyType(pem){try{return createPrivateKey(pem).asymmetricKeyType??
null}catch{return null}}function isPublicKey(pem){try{createPublicKey(pem);return true}catch{return false}}var HTTP_URL=external_exports.url({protocol:/^https?$/,error:"must be a URL that starts with http:// or https://"});var TELEMETRY_VARIABLES={
METRICS_PORT:external_exports.coerce.number("must be a number").int().min(0).max(65535).optional(),METRICS_TOKEN:external_exports.
string().min(16,"must have at least 16 characters that cannot be guessed").optional(),OTEL_EXPORTER_OTLP_ENDPOINT:HTTP_URL.
optional(),OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:HTTP_URL.optional(),OTEL_TRACES_EXPORTER:external_exports.string().default(
"otlp"),OTEL_SDK_DISABLED:external_exports.string().default("false")};var Variables=external_exports.object(TELEMETRY_VARIABLES);
function buildTelemetrySettings(variables){const{METRICS_PORT=null,METRICS_TOKEN=null,OTEL_TRACES_EXPORTER,OTEL_SDK_DISABLED}=variables;
const isTraced=OTEL_TRACES_EXPORTER.split(",").includes("otlp")&&OTEL_SDK_DISABLED.toLowerCase()!=="true";return{metricsPort:METRICS_PORT,
metricsToken:METRICS_TOKEN,tracesUrl:isTraced?findTracesUrl(variables):null}}function findTracesUrl(variables){const{OTEL_EXPORTER_OTLP_ENDPOINT:common2,
OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:own}=variables;if(own!==void 0)return own;return common2===void 0?null:`${common2.replace(
/\/+$/,"")}/v1/traces`}import{isIP as isIP2}from"node:net";function isNetwork(text){const[address="",prefix,...more]=text.split("/");const longest={0:-1,4:32,6:128}[isIP2(address)]??
-1;const isPrefix=prefix===void 0||/^\d{1,3}$/.test(prefix)&&Number(prefix)<=longest;return longest>0&&isPrefix&&more.length===
0}var TrustedProxies=external_exports.string().default("").transform(text=>text.split(",").map(network=>network.trim()).
filter(network=>network!=="")).refine(networks=>networks.every(isNetwork),"must be IP addresses or networks such as 10.0\
.0.0/8, with commas between them");var FLAG=external_exports.enum(["","0","1","false","true"]).transform(text=>text==="1"||text==="true");var HTTP_URL2=external_exports.
url({protocol:/^https?$/,error:"must be a URL that starts with http:// or https://"}).refine(url=>!/^https?:\/\/[^/?#]*@/i.
test(url),"must be a URL without user and password");var POSTGRES_URL=external_exports.string().regex(/^postgres(ql)?:\/\//,
"must start with postgres://");function createNumber(min,max,error=`must be a number from ${min} to ${max}`){return external_exports.
coerce.number(error).int(error).min(min,error).max(max,error)}function isSetupHost(text){const url=URL.parse(text.includes(
"://")?text:`http://${text}`);const isOrigin=url!==null&&url.username===""&&`${url.pathname}${url.search}${url.hash}`===
"/";return isOrigin&&/^https?:$/.test(url.protocol)}var Variables2=external_exports.object({APP_ID:createNumber(1,Number.
MAX_SAFE_INTEGER,"must be GitHub's number of the App").optional(),PRIVATE_KEY:external_exports.string().optional(),PRIVATE_KEY_PATH:external_exports.
string().optional(),WEBHOOK_SECRET:external_exports.string().optional(),GITHUB_CLIENT_ID:external_exports.string().optional(),
GITHUB_CLIENT_SECRET:external_exports.string().optional(),GHE_HOST:external_exports.string().optional(),GHE_PROTOCOL:external_exports.
enum(["http","https"]).default("https"),GITHUB_WRITE_SPACING_MS:createNumber(0,6e4).default(1e3),GITHUB_BATCH:external_exports.
enum(["on","off"]).default("on").transform(word=>word==="on"),LANE_SPACING_MS:createNumber(0,6e4).default(2e3),DATABASE_URL:POSTGRES_URL.
optional(),DATABASE_LISTEN_URL:POSTGRES_URL.optional(),DATABASE_CONNECTIONS:createNumber(4,1e3).default(15),PLATFORM_URL:HTTP_URL2.
optional(),PLATFORM_TOKEN:external_exports.string().optional(),PLATFORM_ACCOUNT:external_exports.string().refine(isPlatformId,
"must be 1 to 128 letters, digits or _ . $ -").optional(),PLATFORM_DIALECT:external_exports.enum(["neutral","live"]).optional(),
PLATFORM_PREFIX:external_exports.string().regex(/^(\/[A-Za-z0-9._-]+)*$/,"must look like /gateway/iacm").optional(),PLATFORM_CALLS_PER_MINUTE:createNumber(
3,1e6).default(360),TOLLGATE_DATA:external_exports.string().default("data"),TEMPLATES_DIR:external_exports.string().optional(),
TOLLGATE_SETTINGS:external_exports.string().optional(),TOLLGATE_KEY:external_exports.string().min(32,"must have at least\
 32 characters that cannot be guessed").optional(),PORT:createNumber(0,65535).default(3e3),HOST:external_exports.string().
optional(),SETUP_HOST:external_exports.string().refine(isSetupHost,"must be a host such as tollgate.example.com, or its \
URL behind a proxy with TLS").transform(text=>text.replace(/\/$/,"")).optional(),TRUSTED_PROXIES:TrustedProxies,PUBLIC_URL:HTTP_URL2.
transform(url=>url.replace(/\/+$/,"")).optional(),OIDC_ISSUER:external_exports.union([external_exports.literal("none"),HTTP_URL2.
transform(url=>url.replace(/\/+$/,""))],{error:"must be a URL that starts with http:// or https://, or none"}).optional(),
ORG_POLICY:external_exports.enum(["read","none"]).default("read"),ALWAYS_CHECK:FLAG.default(false),...TELEMETRY_VARIABLES,
LOG_LEVEL:external_exports.enum(["fatal","error","warn","info","debug","trace","silent"]).default("info")});function readEnvironment(){
if(existsSync(".env"))loadEnvFile(".env");return process.env}function readSettings(environment,options={}){const{settings,
problems}=inspectSettings(environment,options);if(problems.length>0)throw createSettingsError(problems);return settings}
var createSettingsError=problems=>new TollgateError("settings_invalid",`these settings cannot be used:
  ${problems.join("\n  ")}`,{hint:"Correct them in the environment or in the .env file; docs/operations/settings.md list\
s every setting."});function inspectSettings(environment,{withTargets=true}={}){const problems=new Problems;const variables=parseVariables(
environment,problems);const platform=readPlatform(variables,problems);const github=readCredentials(variables,problems);const githubUrl=readGitHubUrl(
variables,problems);const signIn=readSignIn(variables,problems);const settings={dataDirectory:variables.TOLLGATE_DATA,databaseUrl:variables.
DATABASE_URL??null,...variables.DATABASE_LISTEN_URL!==void 0&&{databaseListenUrl:variables.DATABASE_LISTEN_URL},databaseConnections:variables.
DATABASE_CONNECTIONS,platform,github,...signIn!==null&&{signIn},githubUrl,githubWriteSpacingMs:variables.GITHUB_WRITE_SPACING_MS,
githubBatch:variables.GITHUB_BATCH,laneSpacingMs:variables.LANE_SPACING_MS,...variables.TEMPLATES_DIR!==void 0&&{templatesDirectory:variables.
TEMPLATES_DIR},port:variables.PORT,host:variables.HOST??null,...variables.SETUP_HOST!==void 0&&{setupHost:variables.SETUP_HOST},
publicUrl:variables.PUBLIC_URL??null,oidcIssuer:chooseIssuer(variables.OIDC_ISSUER,githubUrl),trustedProxies:variables.TRUSTED_PROXIES,
operator:readOperatorFile(variables.TOLLGATE_SETTINGS,withTargets?environment:null,problems),encryptionKey:variables.TOLLGATE_KEY??
null,orgPolicy:variables.ORG_POLICY,alwaysCheck:variables.ALWAYS_CHECK,logLevel:variables.LOG_LEVEL,telemetry:buildTelemetrySettings(
variables)};return{settings,problems:problems.lines,isUsable:setting=>!problems.has(setting)}}var Problems=class{lines=[];#settings=new Set;add(setting,problem){
this.#settings.add(setting);this.lines.push(`${setting}: ${problem}`)}has(setting){return this.#settings.has(setting)}addMissing(setting,problem){
if(!this.has(setting))this.add(setting,problem)}};function parseVariables(environment,problems){const values=Object.fromEntries(
Object.entries(environment).filter(([,value])=>value!==void 0&&value!==""));const parsed=Variables2.safeParse(values,PARSE_OPTIONS);
if(parsed.success)return parsed.data;for(const{path:path2,message}of parsed.error.issues){const[name]=path2;problems.add(
name,message);delete values[name]}return Variables2.parse(values)}function readCredentials(variables,problems){const{APP_ID,
WEBHOOK_SECRET}=variables;const privateKey=readPrivateKey(variables,problems);if(APP_ID===void 0&&privateKey===void 0)return null;
if(APP_ID===void 0)problems.addMissing("APP_ID","is missing (the private key is there)");if(privateKey===void 0)problems.
addMissing("PRIVATE_KEY","is missing (APP_ID is there)");const weakness=findSecretWeakness(WEBHOOK_SECRET);if(weakness!==
null)problems.add("WEBHOOK_SECRET",`${weakness}; expected ${WEBHOOK_SECRET_RULE}`);return{appId:APP_ID??0,privateKey:privateKey??
"",webhookSecret:WEBHOOK_SECRET??""}}function readSignIn({GITHUB_CLIENT_ID,GITHUB_CLIENT_SECRET},problems){if(GITHUB_CLIENT_ID!==
void 0&&GITHUB_CLIENT_SECRET!==void 0)return{clientId:GITHUB_CLIENT_ID,clientSecret:GITHUB_CLIENT_SECRET};if(GITHUB_CLIENT_SECRET!==
void 0)problems.add("GITHUB_CLIENT_ID","is missing (GITHUB_CLIENT_SECRET is there)");if(GITHUB_CLIENT_ID!==void 0)problems.
add("GITHUB_CLIENT_SECRET","is missing (GITHUB_CLIENT_ID is there)");return null}function readPrivateKey(variables,problems){
const{PRIVATE_KEY,PRIVATE_KEY_PATH}=variables;const source=PRIVATE_KEY===void 0?"PRIVATE_KEY_PATH":"PRIVATE_KEY";const text=PRIVATE_KEY??
(PRIVATE_KEY_PATH===void 0?void 0:readFile(source,PRIVATE_KEY_PATH,problems));if(text===void 0)return problems.has(source)?
"":void 0;const pem=text.includes("-----BEGIN")?text.replaceAll("\\n","\n"):Buffer.from(text,"base64").toString("utf8");
const problem=findKeyProblem(pem);if(problem!==null)problems.add(source,problem);return pem}function readPlatform(variables,problems){
const{PLATFORM_URL,PLATFORM_TOKEN,PLATFORM_ACCOUNT,PLATFORM_DIALECT,PLATFORM_PREFIX}=variables;if(PLATFORM_URL===void 0)
return buildEmbeddedPlatform(variables);if(PLATFORM_TOKEN===void 0)problems.add("PLATFORM_TOKEN","is missing (PLATFORM_U\
RL is there)");if(PLATFORM_ACCOUNT===void 0)problems.addMissing("PLATFORM_ACCOUNT","is missing (PLATFORM_URL is there)");
const dialect=PLATFORM_DIALECT??(PLATFORM_PREFIX===void 0?null:"live");return{kind:"remote",url:PLATFORM_URL.replace(/\/+$/,
""),token:PLATFORM_TOKEN??"",account:PLATFORM_ACCOUNT??"",callsPerMinute:variables.PLATFORM_CALLS_PER_MINUTE,dialect,...PLATFORM_PREFIX!==
void 0&&{prefix:PLATFORM_PREFIX}}}function buildEmbeddedPlatform({PLATFORM_ACCOUNT,PLATFORM_DIALECT}){const named=PLATFORM_DIALECT===
void 0?{}:{dialect:PLATFORM_DIALECT};return{kind:"embedded",account:PLATFORM_ACCOUNT??"tollgate",...named}}function readOperatorFile(path2,environment,problems){
const text=path2===void 0?"":readFile("TOLLGATE_SETTINGS",path2,problems)??"";const result=parseOperatorFile(text,environment);
if(result.state==="ok")return result.file;for(const problem of result.problems)problems.add("TOLLGATE_SETTINGS",`${path2}\
: ${problem}`);return OperatorFile.parse({})}function readGitHubUrl({GHE_HOST:text,GHE_PROTOCOL},problems){if(text===void 0)
return null;const url=URL.parse(/^https?:\/\//.test(text)?text:`${GHE_PROTOCOL}://${text}`);if(url===null)problems.add("\
GHE_HOST","must be a host name such as github.example.com");return url===null?null:`${url.origin}${url.pathname.replace(
/\/+$/,"").replace(/\/api\/v3$/,"")}`}function readFile(setting,path2,problems){try{return readFileSync(path2,"utf8")}catch{
problems.add(setting,`the file ${path2} cannot be read`);return void 0}}var CommanderError=class extends Error{constructor(exitCode,code,message){super(message);Error.captureStackTrace(this,this.
constructor);this.name=this.constructor.name;this.code=code;this.exitCode=exitCode;this.nestedError=void 0}};var InvalidArgumentError=class extends CommanderError{constructor(message){
super(1,"commander.invalidArgument",message);Error.captureStackTrace(this,this.constructor);this.name=this.constructor.name}};var Argument=class{constructor(name,description){this.description=description||"";this.variadic=false;this.parseArg=void 0;
this.defaultValue=void 0;this.defaultValueDescription=void 0;this.argChoices=void 0;switch(name[0]){case"<":this.required=
true;this._name=name.slice(1,-1);break;case"[":this.required=false;this._name=name.slice(1,-1);break;default:this.required=
true;this._name=name;break}if(this._name.endsWith("...")){this.variadic=true;this._name=this._name.slice(0,-3)}}name(){return this.
_name}_collectValue(value,previous){if(previous===this.defaultValue||!Array.isArray(previous)){return[value]}previous.push(
value);return previous}default(value,description){this.defaultValue=value;this.defaultValueDescription=description;return this}argParser(fn){
this.parseArg=fn;return this}choices(values){this.argChoices=values.slice();this.parseArg=(arg,previous)=>{if(!this.argChoices.
includes(arg)){throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`)}if(this.variadic){return this.
_collectValue(arg,previous)}return arg};return this}argRequired(){this.required=true;return this}argOptional(){this.required=
false;return this}};function humanReadableArgName(arg){const nameOutput=arg.name()+(arg.variadic===true?"...":"");return arg.
required?"<"+nameOutput+">":"["+nameOutput+"]"}import{EventEmitter}from"node:events";import childProcess from"node:child_process";import path from"node:path";import fs from"node:fs";
import process2 from"node:process";import{stripVTControlCharacters as stripVTControlCharacters2}from"node:util";import{stripVTControlCharacters}from"node:util";var Help=class{constructor(){this.helpWidth=void 0;this.minWidthToWrap=40;
this.sortSubcommands=false;this.sortOptions=false;this.showGlobalOptions=false}prepareContext(contextOptions){this.helpWidth=
this.helpWidth??contextOptions.helpWidth??80}visibleCommands(cmd){const visibleCommands=cmd.commands.filter(cmd2=>!cmd2.
_hidden);const helpCommand=cmd._getHelpCommand();if(helpCommand&&!helpCommand._hidden){visibleCommands.push(helpCommand)}
if(this.sortSubcommands){visibleCommands.sort((a,b)=>{return a.name().localeCompare(b.name())})}return visibleCommands}compareOptions(a,b){
const getSortKey=option=>{return option.short?option.short.replace(/^-/,""):option.long.replace(/^--/,"")};return getSortKey(
a).localeCompare(getSortKey(b))}visibleOptions(cmd){const visibleOptions=cmd.options.filter(option=>!option.hidden);const helpOption=cmd.
_getHelpOption();if(helpOption&&!helpOption.hidden){const removeShort=helpOption.short&&cmd._findOption(helpOption.short);
const removeLong=helpOption.long&&cmd._findOption(helpOption.long);if(!removeShort&&!removeLong){visibleOptions.push(helpOption)}else if(helpOption.
long&&!removeLong){visibleOptions.push(cmd.createOption(helpOption.long,helpOption.description).helpGroup(helpOption.helpGroupHeading))}else if(helpOption.
short&&!removeShort){visibleOptions.push(cmd.createOption(helpOption.short,helpOption.description).helpGroup(helpOption.
helpGroupHeading))}}if(this.sortOptions){visibleOptions.sort(this.compareOptions)}return visibleOptions}visibleGlobalOptions(cmd){
if(!this.showGlobalOptions)return[];const globalOptions=[];for(let ancestorCmd=cmd.parent;ancestorCmd;ancestorCmd=ancestorCmd.
parent){const visibleOptions=ancestorCmd.options.filter(option=>!option.hidden);globalOptions.push(...visibleOptions)}if(this.
sortOptions){globalOptions.sort(this.compareOptions)}return globalOptions}visibleArguments(cmd){if(cmd._argsDescription){
cmd.registeredArguments.forEach(argument=>{argument.description=argument.description||cmd._argsDescription[argument.name()]||
""})}if(cmd.registeredArguments.find(argument=>argument.description)){return cmd.registeredArguments}return[]}subcommandTerm(cmd){
const args=cmd.registeredArguments.map(arg=>humanReadableArgName(arg)).join(" ");return cmd._name+(cmd._aliases[0]?"|"+cmd.
_aliases[0]:"")+(cmd.options.length?" [options]":"")+(args?" "+args:"")}optionTerm(option){return option.flags}argumentTerm(argument){
return argument.name()}longestSubcommandTermLength(cmd,helper){return helper.visibleCommands(cmd).reduce((max,command)=>{
return Math.max(max,this.displayWidth(helper.styleSubcommandTerm(helper.subcommandTerm(command))))},0)}longestOptionTermLength(cmd,helper){
return helper.visibleOptions(cmd).reduce((max,option)=>{return Math.max(max,this.displayWidth(helper.styleOptionTerm(helper.
optionTerm(option))))},0)}longestGlobalOptionTermLength(cmd,helper){return helper.visibleGlobalOptions(cmd).reduce((max,option)=>{
return Math.max(max,this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))))},0)}longestArgumentTermLength(cmd,helper){
return helper.visibleArguments(cmd).reduce((max,argument)=>{return Math.max(max,this.displayWidth(helper.styleArgumentTerm(
helper.argumentTerm(argument))))},0)}commandUsage(cmd){let cmdName=cmd._name;if(cmd._aliases[0]){cmdName=cmdName+"|"+cmd.
_aliases[0]}let ancestorCmdNames="";for(let ancestorCmd=cmd.parent;ancestorCmd;ancestorCmd=ancestorCmd.parent){ancestorCmdNames=
ancestorCmd.name()+" "+ancestorCmdNames}return ancestorCmdNames+cmdName+" "+cmd.usage()}commandDescription(cmd){return cmd.
description()}subcommandDescription(cmd){return cmd.summary()||cmd.description()}optionDescription(option){const extraInfo=[];
if(option.argChoices){extraInfo.push(`choices: ${option.argChoices.map(choice=>JSON.stringify(choice)).join(", ")}`)}if(option.
defaultValue!==void 0){const showDefault=option.required||option.optional||option.isBoolean()&&typeof option.defaultValue===
"boolean";if(showDefault){extraInfo.push(`default: ${option.defaultValueDescription||JSON.stringify(option.defaultValue)}`)}}
if(option.presetArg!==void 0&&option.optional){extraInfo.push(`preset: ${JSON.stringify(option.presetArg)}`)}if(option.envVar!==
void 0){extraInfo.push(`env: ${option.envVar}`)}if(extraInfo.length>0){const extraDescription=`(${extraInfo.join(", ")})`;
if(option.description){return`${option.description} ${extraDescription}`}return extraDescription}return option.description}argumentDescription(argument){
const extraInfo=[];if(argument.argChoices){extraInfo.push(`choices: ${argument.argChoices.map(choice=>JSON.stringify(choice)).
join(", ")}`)}if(argument.defaultValue!==void 0){extraInfo.push(`default: ${argument.defaultValueDescription||JSON.stringify(
argument.defaultValue)}`)}if(extraInfo.length>0){const extraDescription=`(${extraInfo.join(", ")})`;if(argument.description){
return`${argument.description} ${extraDescription}`}return extraDescription}return argument.description}formatItemList(heading,items,helper){
if(items.length===0)return[];return[helper.styleTitle(heading),...items,""]}groupItems(unsortedItems,visibleItems,getGroup){
const result=new Map;unsortedItems.forEach(item=>{const group=getGroup(item);if(!result.has(group))result.set(group,[])});
visibleItems.forEach(item=>{const group=getGroup(item);if(!result.has(group)){result.set(group,[])}result.get(group).push(
item)});return result}formatHelp(cmd,helper){const termWidth=helper.padWidth(cmd,helper);const helpWidth=helper.helpWidth??
80;function callFormatItem(term,description){return helper.formatItem(term,termWidth,description,helper)}let output=[`${helper.
styleTitle("Usage:")} ${helper.styleUsage(helper.commandUsage(cmd))}`,""];const commandDescription=helper.commandDescription(
cmd);if(commandDescription.length>0){output=output.concat([helper.boxWrap(helper.styleCommandDescription(commandDescription),
helpWidth),""])}const argumentList=helper.visibleArguments(cmd).map(argument=>{return callFormatItem(helper.styleArgumentTerm(
helper.argumentTerm(argument)),helper.styleArgumentDescription(helper.argumentDescription(argument)))});output=output.concat(
this.formatItemList("Arguments:",argumentList,helper));const optionGroups=this.groupItems(cmd.options,helper.visibleOptions(
cmd),option=>option.helpGroupHeading??"Options:");optionGroups.forEach((options,group)=>{const optionList=options.map(option=>{
return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)),helper.styleOptionDescription(helper.optionDescription(
option)))});output=output.concat(this.formatItemList(group,optionList,helper))});if(helper.showGlobalOptions){const globalOptionList=helper.
visibleGlobalOptions(cmd).map(option=>{return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)),helper.styleOptionDescription(
helper.optionDescription(option)))});output=output.concat(this.formatItemList("Global Options:",globalOptionList,helper))}
const commandGroups=this.groupItems(cmd.commands,helper.visibleCommands(cmd),sub=>sub.helpGroup()||"Commands:");commandGroups.
forEach((commands,group)=>{const commandList=commands.map(sub=>{return callFormatItem(helper.styleSubcommandTerm(helper.
subcommandTerm(sub)),helper.styleSubcommandDescription(helper.subcommandDescription(sub)))});output=output.concat(this.formatItemList(
group,commandList,helper))});return output.join("\n")}displayWidth(str){return stripVTControlCharacters(str).length}styleTitle(str){
return str}styleUsage(str){return str.split(" ").map(word=>{if(word==="[options]")return this.styleOptionText(word);if(word===
"[command]")return this.styleSubcommandText(word);if(word[0]==="["||word[0]==="<")return this.styleArgumentText(word);return this.
styleCommandText(word)}).join(" ")}styleCommandDescription(str){return this.styleDescriptionText(str)}styleOptionDescription(str){
return this.styleDescriptionText(str)}styleSubcommandDescription(str){return this.styleDescriptionText(str)}styleArgumentDescription(str){
return this.styleDescriptionText(str)}styleDescriptionText(str){return str}styleOptionTerm(str){return this.styleOptionText(
str)}styleSubcommandTerm(str){return str.split(" ").map(word=>{if(word==="[options]")return this.styleOptionText(word);if(word[0]===
"["||word[0]==="<")return this.styleArgumentText(word);return this.styleSubcommandText(word)}).join(" ")}styleArgumentTerm(str){
return this.styleArgumentText(str)}styleOptionText(str){return str}styleArgumentText(str){return str}styleSubcommandText(str){
return str}styleCommandText(str){return str}padWidth(cmd,helper){return Math.max(helper.longestOptionTermLength(cmd,helper),
helper.longestGlobalOptionTermLength(cmd,helper),helper.longestSubcommandTermLength(cmd,helper),helper.longestArgumentTermLength(
cmd,helper))}preformatted(str){return/\n[^\S\r\n]/.test(str)}formatItem(term,termWidth,description,helper){const itemIndent=2;
const itemIndentStr=" ".repeat(itemIndent);if(!description)return itemIndentStr+term;const paddedTerm=term.padEnd(termWidth+
term.length-helper.displayWidth(term));const spacerWidth=2;const helpWidth=this.helpWidth??80;const remainingWidth=helpWidth-
termWidth-spacerWidth-itemIndent;let formattedDescription;if(remainingWidth<this.minWidthToWrap||helper.preformatted(description)){
formattedDescription=description}else{const wrappedDescription=helper.boxWrap(description,remainingWidth);formattedDescription=
wrappedDescription.replace(/\n/g,"\n"+" ".repeat(termWidth+spacerWidth))}return itemIndentStr+paddedTerm+" ".repeat(spacerWidth)+
formattedDescription.replace(/\n/g,`
${itemIndentStr}`)}boxWrap(str,width){if(width<this.minWidthToWrap)return str;const rawLines=str.split(/\r\n|\n/);const chunkPattern=/[\s]*[^\s]+/g;
const wrappedLines=[];rawLines.forEach(line=>{const chunks=line.match(chunkPattern);if(chunks===null){wrappedLines.push(
"");return}let sumChunks=[chunks.shift()];let sumWidth=this.displayWidth(sumChunks[0]);chunks.forEach(chunk=>{const visibleWidth=this.
displayWidth(chunk);if(sumWidth+visibleWidth<=width){sumChunks.push(chunk);sumWidth+=visibleWidth;return}wrappedLines.push(
sumChunks.join(""));const nextChunk=chunk.trimStart();sumChunks=[nextChunk];sumWidth=this.displayWidth(nextChunk)});wrappedLines.
push(sumChunks.join(""))});return wrappedLines.join("\n")}};var Option=class{constructor(flags,description){this.flags=flags;this.description=description||"";this.required=flags.includes(
"<");this.optional=flags.includes("[");this.variadic=new RegExp("\\p{ID_Continue}\\.\\.\\.[>\\]]$","u").test(flags);this.
mandatory=false;const optionFlags=splitOptionFlags(flags);this.short=optionFlags.shortFlag;this.long=optionFlags.longFlag;
this.negate=false;if(this.long){this.negate=this.long.startsWith("--no-")}this.defaultValue=void 0;this.defaultValueDescription=
void 0;this.presetArg=void 0;this.envVar=void 0;this.parseArg=void 0;this.hidden=false;this.argChoices=void 0;this.conflictsWith=
[];this.implied=void 0;this.helpGroupHeading=void 0}default(value,description){this.defaultValue=value;this.defaultValueDescription=
description;return this}preset(arg){this.presetArg=arg;return this}conflicts(names){this.conflictsWith=this.conflictsWith.
concat(names);return this}implies(impliedOptionValues){let newImplied=impliedOptionValues;if(typeof impliedOptionValues===
"string"){newImplied={[impliedOptionValues]:true}}this.implied=Object.assign(this.implied||{},newImplied);return this}env(name){
this.envVar=name;return this}argParser(fn){this.parseArg=fn;return this}makeOptionMandatory(mandatory=true){this.mandatory=
!!mandatory;return this}hideHelp(hide=true){this.hidden=!!hide;return this}_collectValue(value,previous){if(previous===this.
defaultValue||!Array.isArray(previous)){return[value]}previous.push(value);return previous}choices(values){this.argChoices=
values.slice();this.parseArg=(arg,previous)=>{if(!this.argChoices.includes(arg)){throw new InvalidArgumentError(`Allowed\
 choices are ${this.argChoices.join(", ")}.`)}if(this.variadic){return this._collectValue(arg,previous)}return arg};return this}name(){
if(this.long){return this.long.replace(/^--/,"")}return this.short.replace(/^-/,"")}attributeName(){if(this.negate){return camelcase(
this.name().replace(/^no-/,""))}return camelcase(this.name())}helpGroup(heading){this.helpGroupHeading=heading;return this}is(arg){
return this.short===arg||this.long===arg}isBoolean(){return!this.required&&!this.optional&&!this.negate}};var DualOptions=class{constructor(options){
this.positiveOptions=new Map;this.negativeOptions=new Map;this.dualOptions=new Set;options.forEach(option=>{if(option.negate){
this.negativeOptions.set(option.attributeName(),option)}else{this.positiveOptions.set(option.attributeName(),option)}});
this.negativeOptions.forEach((value,key)=>{if(this.positiveOptions.has(key)){this.dualOptions.add(key)}})}valueFromOption(value,option){
const optionKey=option.attributeName();if(!this.dualOptions.has(optionKey))return true;const preset=this.negativeOptions.
get(optionKey).presetArg;const negativeValue=preset!==void 0?preset:false;return option.negate===(negativeValue===value)}};
function camelcase(str){return str.split("-").reduce((str2,word)=>{return str2+word[0].toUpperCase()+word.slice(1)})}function splitOptionFlags(flags){
let shortFlag;let longFlag;const shortFlagExp=/^-[^-]$/;const longFlagExp=/^--[^-]/;const flagParts=flags.split(/[ |,]+/).
concat("guard");if(shortFlagExp.test(flagParts[0]))shortFlag=flagParts.shift();if(longFlagExp.test(flagParts[0]))longFlag=
flagParts.shift();if(!shortFlag&&shortFlagExp.test(flagParts[0]))shortFlag=flagParts.shift();if(!shortFlag&&longFlagExp.
test(flagParts[0])){shortFlag=longFlag;longFlag=flagParts.shift()}if(flagParts[0].startsWith("-")){const unsupportedFlag=flagParts[0];
const baseError=`option creation failed due to '${unsupportedFlag}' in option flags '${flags}'`;if(/^-[^-][^-]/.test(unsupportedFlag))
throw new Error(`${baseError}
- a short flag is a single dash and a single character
  - either use a single dash and a single character (for a short flag)
  - or use a double dash for a long option (and can have two, like '--ws, --workspace')`);if(shortFlagExp.test(unsupportedFlag))
throw new Error(`${baseError}
- too many short flags`);if(longFlagExp.test(unsupportedFlag))throw new Error(`${baseError}
- too many long flags`);throw new Error(`${baseError}
- unrecognised flag format`)}if(shortFlag===void 0&&longFlag===void 0)throw new Error(`option creation failed due to no \
flags found in '${flags}'.`);return{shortFlag,longFlag}}var maxDistance=3;function editDistance(a,b){if(Math.abs(a.length-b.length)>maxDistance)return Math.max(a.length,b.length);
const d=[];for(let i=0;i<=a.length;i++){d[i]=[i]}for(let j=0;j<=b.length;j++){d[0][j]=j}for(let j=1;j<=b.length;j++){for(let i=1;i<=
a.length;i++){let cost;if(a[i-1]===b[j-1]){cost=0}else{cost=1}d[i][j]=Math.min(d[i-1][j]+1,d[i][j-1]+1,d[i-1][j-1]+cost);
if(i>1&&j>1&&a[i-1]===b[j-2]&&a[i-2]===b[j-1]){d[i][j]=Math.min(d[i][j],d[i-2][j-2]+1)}}}return d[a.length][b.length]}function suggestSimilar(word,candidates){
if(!candidates||candidates.length===0)return"";candidates=Array.from(new Set(candidates));const searchingOptions=word.startsWith(
"--");if(searchingOptions){word=word.slice(2);candidates=candidates.map(candidate=>candidate.slice(2))}let similar=[];let bestDistance=maxDistance;
const minSimilarity=.4;candidates.forEach(candidate=>{if(candidate.length<=1)return;const distance=editDistance(word,candidate);
const length=Math.max(word.length,candidate.length);const similarity=(length-distance)/length;if(similarity>minSimilarity){
if(distance<bestDistance){bestDistance=distance;similar=[candidate]}else if(distance===bestDistance){similar.push(candidate)}}});
similar.sort((a,b)=>a.localeCompare(b));if(searchingOptions){similar=similar.map(candidate=>`--${candidate}`)}if(similar.
length>1){return`
(Did you mean one of ${similar.join(", ")}?)`}if(similar.length===1){return`
(Did you mean ${similar[0]}?)`}return""}var Command=class _Command extends EventEmitter{constructor(name){super();this.commands=[];this.options=[];this.parent=null;
this._allowUnknownOption=false;this._allowExcessArguments=false;this.registeredArguments=[];this._args=this.registeredArguments;
this.args=[];this.rawArgs=[];this.processedArgs=[];this._scriptPath=null;this._name=name||"";this._optionValues={};this.
_optionValueSources={};this._storeOptionsAsProperties=false;this._actionHandler=null;this._executableHandler=false;this.
_executableFile=null;this._executableDir=null;this._defaultCommandName=null;this._exitCallback=null;this._aliases=[];this.
_combineFlagAndOptionalValue=true;this._description="";this._summary="";this._argsDescription=void 0;this._enablePositionalOptions=
false;this._passThroughOptions=false;this._lifeCycleHooks={};this._showHelpAfterError=false;this._showSuggestionAfterError=
true;this._savedState=null;this._outputConfiguration={writeOut:str=>process2.stdout.write(str),writeErr:str=>process2.stderr.
write(str),outputError:(str,write)=>write(str),getOutHelpWidth:()=>process2.stdout.isTTY?process2.stdout.columns:void 0,
getErrHelpWidth:()=>process2.stderr.isTTY?process2.stderr.columns:void 0,getOutHasColors:()=>useColor()??(process2.stdout.
isTTY&&process2.stdout.hasColors?.()),getErrHasColors:()=>useColor()??(process2.stderr.isTTY&&process2.stderr.hasColors?.()),
stripColor:str=>stripVTControlCharacters2(str)};this._hidden=false;this._helpOption=void 0;this._addImplicitHelpCommand=
void 0;this._helpCommand=void 0;this._helpConfiguration={};this._helpGroupHeading=void 0;this._defaultCommandGroup=void 0;
this._defaultOptionGroup=void 0}copyInheritedSettings(sourceCommand){this._outputConfiguration=sourceCommand._outputConfiguration;
this._helpOption=sourceCommand._helpOption;this._helpCommand=sourceCommand._helpCommand;this._helpConfiguration=sourceCommand.
_helpConfiguration;this._exitCallback=sourceCommand._exitCallback;this._storeOptionsAsProperties=sourceCommand._storeOptionsAsProperties;
this._combineFlagAndOptionalValue=sourceCommand._combineFlagAndOptionalValue;this._allowExcessArguments=sourceCommand._allowExcessArguments;
this._enablePositionalOptions=sourceCommand._enablePositionalOptions;this._showHelpAfterError=sourceCommand._showHelpAfterError;
this._showSuggestionAfterError=sourceCommand._showSuggestionAfterError;return this}_getCommandAndAncestors(){const result=[];
for(let command=this;command;command=command.parent){result.push(command)}return result}command(nameAndArgs,actionOptsOrExecDesc,execOpts){
let desc=actionOptsOrExecDesc;let opts=execOpts;if(typeof desc==="object"&&desc!==null){opts=desc;desc=null}opts=opts||{};
const[,name,args]=nameAndArgs.match(/([^ ]+) *(.*)/);const cmd=this.createCommand(name);if(desc){cmd.description(desc);cmd.
_executableHandler=true}if(opts.isDefault)this._defaultCommandName=cmd._name;cmd._hidden=!!(opts.noHelp||opts.hidden);cmd.
_executableFile=opts.executableFile||null;if(args)cmd.arguments(args);this._registerCommand(cmd);cmd.parent=this;cmd.copyInheritedSettings(
this);if(desc)return this;return cmd}createCommand(name){return new _Command(name)}createHelp(){return Object.assign(new Help,
this.configureHelp())}configureHelp(configuration){if(configuration===void 0)return this._helpConfiguration;this._helpConfiguration=
configuration;return this}configureOutput(configuration){if(configuration===void 0)return this._outputConfiguration;this.
_outputConfiguration={...this._outputConfiguration,...configuration};return this}showHelpAfterError(displayHelp=true){if(typeof displayHelp!==
"string")displayHelp=!!displayHelp;this._showHelpAfterError=displayHelp;return this}showSuggestionAfterError(displaySuggestion=true){
this._showSuggestionAfterError=!!displaySuggestion;return this}addCommand(cmd,opts){if(!cmd._name){throw new Error(`Comm\
and passed to .addCommand() must have a name
- specify the name in Command constructor or using .name()`)}opts=opts||{};if(opts.isDefault)this._defaultCommandName=cmd.
_name;if(opts.noHelp||opts.hidden)cmd._hidden=true;this._registerCommand(cmd);cmd.parent=this;cmd._checkForBrokenPassThrough();
return this}createArgument(name,description){return new Argument(name,description)}argument(name,description,parseArg,defaultValue){
const argument=this.createArgument(name,description);if(typeof parseArg==="function"){argument.default(defaultValue).argParser(
parseArg)}else{argument.default(parseArg)}this.addArgument(argument);return this}arguments(names){names.trim().split(/ +/).
forEach(detail=>{this.argument(detail)});return this}addArgument(argument){const previousArgument=this.registeredArguments.
slice(-1)[0];if(previousArgument?.variadic){throw new Error(`only the last argument can be variadic '${previousArgument.
name()}'`)}if(argument.required&&argument.defaultValue!==void 0&&argument.parseArg===void 0){throw new Error(`a default \
value for a required argument is never used: '${argument.name()}'`)}this.registeredArguments.push(argument);return this}helpCommand(enableOrNameAndArgs,description){
if(typeof enableOrNameAndArgs==="boolean"){this._addImplicitHelpCommand=enableOrNameAndArgs;if(enableOrNameAndArgs&&this.
_defaultCommandGroup){this._initCommandGroup(this._getHelpCommand())}return this}const nameAndArgs=enableOrNameAndArgs??
"help [command]";const[,helpName,helpArgs]=nameAndArgs.match(/([^ ]+) *(.*)/);const helpDescription=description??"displa\
y help for command";const helpCommand=this.createCommand(helpName);helpCommand.helpOption(false);if(helpArgs)helpCommand.
arguments(helpArgs);if(helpDescription)helpCommand.description(helpDescription);this._addImplicitHelpCommand=true;this._helpCommand=
helpCommand;if(enableOrNameAndArgs||description)this._initCommandGroup(helpCommand);return this}addHelpCommand(helpCommand,deprecatedDescription){
if(typeof helpCommand!=="object"){this.helpCommand(helpCommand,deprecatedDescription);return this}this._addImplicitHelpCommand=
true;this._helpCommand=helpCommand;this._initCommandGroup(helpCommand);return this}_getHelpCommand(){const hasImplicitHelpCommand=this.
_addImplicitHelpCommand??(this.commands.length&&!this._actionHandler&&!this._findCommand("help"));if(hasImplicitHelpCommand){
if(this._helpCommand===void 0){this.helpCommand(void 0,void 0)}return this._helpCommand}return null}hook(event,listener){
const allowedValues=["preSubcommand","preAction","postAction"];if(!allowedValues.includes(event)){throw new Error(`Unexp\
ected value for event passed to hook : '${event}'.
Expecting one of '${allowedValues.join("', '")}'`)}if(this._lifeCycleHooks[event]){this._lifeCycleHooks[event].push(listener)}else{
this._lifeCycleHooks[event]=[listener]}return this}exitOverride(fn){if(fn){this._exitCallback=fn}else{this._exitCallback=
err=>{if(err.code!=="commander.executeSubCommandAsync"){throw err}else{}}}return this}_exit(exitCode,code,message){if(this.
_exitCallback){this._exitCallback(new CommanderError(exitCode,code,message))}process2.exit(exitCode)}action(fn){const listener=args=>{
const expectedArgsCount=this.registeredArguments.length;const actionArgs=args.slice(0,expectedArgsCount);if(this._storeOptionsAsProperties){
actionArgs[expectedArgsCount]=this}else{actionArgs[expectedArgsCount]=this.opts()}actionArgs.push(this);return fn.apply(
this,actionArgs)};this._actionHandler=listener;return this}createOption(flags,description){return new Option(flags,description)}_callParseArg(target,value,previous,invalidArgumentMessage){
try{return target.parseArg(value,previous)}catch(err){if(err.code==="commander.invalidArgument"){const message=`${invalidArgumentMessage}\
 ${err.message}`;this.error(message,{exitCode:err.exitCode,code:err.code})}throw err}}_registerOption(option){const matchingOption=option.
short&&this._findOption(option.short)||option.long&&this._findOption(option.long);if(matchingOption){const matchingFlag=option.
long&&this._findOption(option.long)?option.long:option.short;throw new Error(`Cannot add option '${option.flags}'${this.
_name&&` to command '${this._name}'`} due to conflicting flag '${matchingFlag}'
-  already used by option '${matchingOption.flags}'`)}this._initOptionGroup(option);this.options.push(option)}_registerCommand(command){
const knownBy=cmd=>{return[cmd.name()].concat(cmd.aliases())};const alreadyUsed=knownBy(command).find(name=>this._findCommand(
name));if(alreadyUsed){const existingCmd=knownBy(this._findCommand(alreadyUsed)).join("|");const newCmd=knownBy(command).
join("|");throw new Error(`cannot add command '${newCmd}' as already have command '${existingCmd}'`)}this._initCommandGroup(
command);this.commands.push(command)}addOption(option){this._registerOption(option);const oname=option.name();const name=option.
attributeName();if(option.defaultValue!==void 0){this.setOptionValueWithSource(name,option.defaultValue,"default")}const handleOptionValue=(val,invalidValueMessage,valueSource)=>{
if(val==null&&option.presetArg!==void 0){val=option.presetArg}const oldValue=this.getOptionValue(name);if(val!==null&&option.
parseArg){val=this._callParseArg(option,val,oldValue,invalidValueMessage)}else if(val!==null&&option.variadic){val=option.
_collectValue(val,oldValue)}if(val==null){if(option.negate){val=false}else if(option.isBoolean()||option.optional){val=true}else{
val=""}}this.setOptionValueWithSource(name,val,valueSource)};this.on("option:"+oname,val=>{const invalidValueMessage=`er\
ror: option '${option.flags}' argument '${val}' is invalid.`;handleOptionValue(val,invalidValueMessage,"cli")});if(option.
envVar){this.on("optionEnv:"+oname,val=>{const invalidValueMessage=`error: option '${option.flags}' value '${val}' from \
env '${option.envVar}' is invalid.`;handleOptionValue(val,invalidValueMessage,"env")})}return this}_optionEx(config,flags,description,fn,defaultValue){
if(typeof flags==="object"&&flags instanceof Option){throw new Error("To add an Option object use addOption() instead of\
 option() or requiredOption()")}const option=this.createOption(flags,description);option.makeOptionMandatory(!!config.mandatory);
if(typeof fn==="function"){option.default(defaultValue).argParser(fn)}else if(fn instanceof RegExp){const regex=fn;fn=(val,def)=>{
const m=regex.exec(val);return m?m[0]:def};option.default(defaultValue).argParser(fn)}else{option.default(fn)}return this.
addOption(option)}option(flags,description,parseArg,defaultValue){return this._optionEx({},flags,description,parseArg,defaultValue)}requiredOption(flags,description,parseArg,defaultValue){
return this._optionEx({mandatory:true},flags,description,parseArg,defaultValue)}combineFlagAndOptionalValue(combine=true){
this._combineFlagAndOptionalValue=!!combine;return this}allowUnknownOption(allowUnknown=true){this._allowUnknownOption=!!allowUnknown;
return this}allowExcessArguments(allowExcess=true){this._allowExcessArguments=!!allowExcess;return this}enablePositionalOptions(positional=true){
this._enablePositionalOptions=!!positional;return this}passThroughOptions(passThrough=true){this._passThroughOptions=!!passThrough;
this._checkForBrokenPassThrough();return this}_checkForBrokenPassThrough(){if(this.parent&&this._passThroughOptions&&!this.
parent._enablePositionalOptions){throw new Error(`passThroughOptions cannot be used for '${this._name}' without turning \
on enablePositionalOptions for parent command(s)`)}}storeOptionsAsProperties(storeAsProperties=true){if(this.options.length){
throw new Error("call .storeOptionsAsProperties() before adding options")}if(Object.keys(this._optionValues).length){throw new Error(
"call .storeOptionsAsProperties() before setting option values")}this._storeOptionsAsProperties=!!storeAsProperties;return this}getOptionValue(key){
if(this._storeOptionsAsProperties){return this[key]}return this._optionValues[key]}setOptionValue(key,value){return this.
setOptionValueWithSource(key,value,void 0)}setOptionValueWithSource(key,value,source){if(this._storeOptionsAsProperties){
this[key]=value}else{this._optionValues[key]=value}this._optionValueSources[key]=source;return this}getOptionValueSource(key){
return this._optionValueSources[key]}getOptionValueSourceWithGlobals(key){let source;this._getCommandAndAncestors().forEach(
cmd=>{if(Object.hasOwn(cmd._optionValueSources,key)){source=cmd.getOptionValueSource(key)}});return source}_prepareUserArgs(argv,parseOptions){
if(argv!==void 0&&!Array.isArray(argv)){throw new Error("first parameter to parse must be array or undefined")}parseOptions=
parseOptions||{};if(argv===void 0&&parseOptions.from===void 0){if(process2.versions?.electron){parseOptions.from="electr\
on"}const execArgv=process2.execArgv??[];if(execArgv.includes("-e")||execArgv.includes("--eval")||execArgv.includes("-p")||
execArgv.includes("--print")){parseOptions.from="eval"}}if(argv===void 0){argv=process2.argv}this.rawArgs=argv.slice();let userArgs;
switch(parseOptions.from){case void 0:case"node":this._scriptPath=argv[1];userArgs=argv.slice(2);break;case"electron":if(process2.
defaultApp){this._scriptPath=argv[1];userArgs=argv.slice(2)}else{userArgs=argv.slice(1)}break;case"user":userArgs=argv.slice(
0);break;case"eval":userArgs=argv.slice(1);break;default:throw new Error(`unexpected parse option { from: '${parseOptions.
from}' }`)}if(!this._name&&this._scriptPath)this.nameFromFilename(this._scriptPath);this._name=this._name||"program";return userArgs}parse(argv,parseOptions){
this._prepareForParse();const userArgs=this._prepareUserArgs(argv,parseOptions);this._parseCommand([],userArgs);return this}async parseAsync(argv,parseOptions){
this._prepareForParse();const userArgs=this._prepareUserArgs(argv,parseOptions);await this._parseCommand([],userArgs);return this}_prepareForParse(){
if(this._savedState===null){this.options.filter(option=>option.negate&&option.defaultValue===void 0&&this.getOptionValue(
option.attributeName())===void 0).forEach(option=>{const positiveLongFlag=option.long.replace(/^--no-/,"--");if(!this._findOption(
positiveLongFlag)){this.setOptionValueWithSource(option.attributeName(),true,"default")}});this.saveStateBeforeParse()}else{
this.restoreStateBeforeParse()}}saveStateBeforeParse(){this._savedState={_name:this._name,_optionValues:{...this._optionValues},
_optionValueSources:{...this._optionValueSources}}}restoreStateBeforeParse(){if(this._storeOptionsAsProperties)throw new Error(
`Can not call parse again when storeOptionsAsProperties is true.
- either make a new Command for each call to parse, or stop storing options as properties`);this._name=this._savedState.
_name;this._scriptPath=null;this.rawArgs=[];this._optionValues={...this._savedState._optionValues};this._optionValueSources=
{...this._savedState._optionValueSources};this.args=[];this.processedArgs=[]}_checkForMissingExecutable(executableFile,executableDir,subcommandName){
if(fs.existsSync(executableFile))return;const executableDirMessage=executableDir?`searched for local subcommand relative\
 to directory '${executableDir}'`:"no directory for search for local subcommand, use .executableDir() to supply a custom\
 directory";const executableMissing=`'${executableFile}' does not exist
 - if '${subcommandName}' is not meant to be an executable command, remove description parameter from '.command()' and u\
se '.description()' instead
 - if the default executable name is not suitable, use the executableFile option to supply a custom name or path
 - ${executableDirMessage}`;throw new Error(executableMissing)}_executeSubCommand(subcommand,args){args=args.slice();const sourceExt=[
".js",".ts",".tsx",".mjs",".cjs"];function findFile(baseDir,baseName){const localBin=path.resolve(baseDir,baseName);if(fs.
existsSync(localBin))return localBin;if(sourceExt.includes(path.extname(baseName)))return void 0;const foundExt=sourceExt.
find(ext=>fs.existsSync(`${localBin}${ext}`));if(foundExt)return`${localBin}${foundExt}`;return void 0}this._checkForMissingMandatoryOptions();
this._checkForConflictingOptions();let executableFile=subcommand._executableFile||`${this._name}-${subcommand._name}`;let executableDir=this.
_executableDir||"";if(this._scriptPath){let resolvedScriptPath;try{resolvedScriptPath=fs.realpathSync(this._scriptPath)}catch{
resolvedScriptPath=this._scriptPath}executableDir=path.resolve(path.dirname(resolvedScriptPath),executableDir)}if(executableDir){
let localFile=findFile(executableDir,executableFile);if(!localFile&&!subcommand._executableFile&&this._scriptPath){const legacyName=path.
basename(this._scriptPath,path.extname(this._scriptPath));if(legacyName!==this._name){localFile=findFile(executableDir,`${legacyName}\
-${subcommand._name}`)}}executableFile=localFile||executableFile}const launchWithNode=sourceExt.includes(path.extname(executableFile));
let proc;if(process2.platform!=="win32"){if(launchWithNode){args.unshift(executableFile);args=incrementNodeInspectorPort(
process2.execArgv).concat(args);proc=childProcess.spawn(process2.argv[0],args,{stdio:"inherit"})}else{proc=childProcess.
spawn(executableFile,args,{stdio:"inherit"})}}else{this._checkForMissingExecutable(executableFile,executableDir,subcommand.
_name);args.unshift(executableFile);args=incrementNodeInspectorPort(process2.execArgv).concat(args);proc=childProcess.spawn(
process2.execPath,args,{stdio:"inherit"})}if(!proc.killed){const signals=["SIGUSR1","SIGUSR2","SIGTERM","SIGINT","SIGHUP"];
signals.forEach(signal=>{process2.on(signal,()=>{if(proc.killed===false&&proc.exitCode===null){proc.kill(signal)}})})}const exitCallback=this.
_exitCallback;proc.on("close",code=>{code=code??1;if(!exitCallback){process2.exit(code)}else{exitCallback(new CommanderError(
code,"commander.executeSubCommandAsync","(close)"))}});proc.on("error",err=>{if(err.code==="ENOENT"){this._checkForMissingExecutable(
executableFile,executableDir,subcommand._name)}else if(err.code==="EACCES"){throw new Error(`'${executableFile}' not exe\
cutable`)}if(!exitCallback){process2.exit(1)}else{const wrappedError=new CommanderError(1,"commander.executeSubCommandAs\
ync","(error)");wrappedError.nestedError=err;exitCallback(wrappedError)}});this.runningCommand=proc}_dispatchSubcommand(commandName,operands,unknown){
const subCommand=this._findCommand(commandName);if(!subCommand)this.help({error:true});subCommand._prepareForParse();let promiseChain;
promiseChain=this._chainOrCallSubCommandHook(promiseChain,subCommand,"preSubcommand");promiseChain=this._chainOrCall(promiseChain,
()=>{if(subCommand._executableHandler){this._executeSubCommand(subCommand,operands.concat(unknown))}else{return subCommand.
_parseCommand(operands,unknown)}});return promiseChain}_dispatchHelpCommand(subcommandName){if(!subcommandName){this.help()}
const subCommand=this._findCommand(subcommandName);if(subCommand&&!subCommand._executableHandler){subCommand.help()}return this.
_dispatchSubcommand(subcommandName,[],[this._getHelpOption()?.long??this._getHelpOption()?.short??"--help"])}_checkNumberOfArguments(){
this.registeredArguments.forEach((arg,i)=>{if(arg.required&&this.args[i]==null){this.missingArgument(arg.name())}});if(this.
registeredArguments.length>0&&this.registeredArguments[this.registeredArguments.length-1].variadic){return}if(this.args.
length>this.registeredArguments.length){this._excessArguments(this.args)}}_processArguments(){const myParseArg=(argument,value,previous)=>{
let parsedValue=value;if(value!==null&&argument.parseArg){const invalidValueMessage=`error: command-argument value '${value}\
' is invalid for argument '${argument.name()}'.`;parsedValue=this._callParseArg(argument,value,previous,invalidValueMessage)}
return parsedValue};this._checkNumberOfArguments();const processedArgs=[];this.registeredArguments.forEach((declaredArg,index)=>{
let value=declaredArg.defaultValue;if(declaredArg.variadic){if(index<this.args.length){value=this.args.slice(index);if(declaredArg.
parseArg){value=value.reduce((processed,v)=>{return myParseArg(declaredArg,v,processed)},declaredArg.defaultValue)}}else if(value===
void 0){value=[]}}else if(index<this.args.length){value=this.args[index];if(declaredArg.parseArg){value=myParseArg(declaredArg,
value,declaredArg.defaultValue)}}processedArgs[index]=value});this.processedArgs=processedArgs}_chainOrCall(promise,fn){
if(promise?.then&&typeof promise.then==="function"){return promise.then(()=>fn())}return fn()}_chainOrCallHooks(promise,event){
let result=promise;const hooks=[];this._getCommandAndAncestors().reverse().filter(cmd=>cmd._lifeCycleHooks[event]!==void 0).
forEach(hookedCommand=>{hookedCommand._lifeCycleHooks[event].forEach(callback=>{hooks.push({hookedCommand,callback})})});
if(event==="postAction"){hooks.reverse()}hooks.forEach(hookDetail=>{result=this._chainOrCall(result,()=>{return hookDetail.
callback(hookDetail.hookedCommand,this)})});return result}_chainOrCallSubCommandHook(promise,subCommand,event){let result=promise;
if(this._lifeCycleHooks[event]!==void 0){this._lifeCycleHooks[event].forEach(hook=>{result=this._chainOrCall(result,()=>{
return hook(this,subCommand)})})}return result}_parseCommand(operands,unknown){const parsed=this.parseOptions(unknown);this.
_parseOptionsEnv();this._parseOptionsImplied();operands=operands.concat(parsed.operands);unknown=parsed.unknown;this.args=
operands.concat(unknown);if(operands&&this._findCommand(operands[0])){return this._dispatchSubcommand(operands[0],operands.
slice(1),unknown)}if(this._getHelpCommand()&&operands[0]===this._getHelpCommand().name()){return this._dispatchHelpCommand(
operands[1])}if(this._defaultCommandName){this._outputHelpIfRequested(unknown);return this._dispatchSubcommand(this._defaultCommandName,
operands,unknown)}if(this.commands.length&&this.args.length===0&&!this._actionHandler&&!this._defaultCommandName){this.help(
{error:true})}this._outputHelpIfRequested(parsed.unknown);this._checkForMissingMandatoryOptions();this._checkForConflictingOptions();
const checkForUnknownOptions=()=>{if(parsed.unknown.length>0){this.unknownOption(parsed.unknown[0])}};const commandEvent=`\
command:${this.name()}`;if(this._actionHandler){checkForUnknownOptions();this._processArguments();let promiseChain;promiseChain=
this._chainOrCallHooks(promiseChain,"preAction");promiseChain=this._chainOrCall(promiseChain,()=>this._actionHandler(this.
processedArgs));if(this.parent){promiseChain=this._chainOrCall(promiseChain,()=>{this.parent.emit(commandEvent,operands,
unknown)})}promiseChain=this._chainOrCallHooks(promiseChain,"postAction");return promiseChain}if(this.parent?.listenerCount(
commandEvent)){checkForUnknownOptions();this._processArguments();this.parent.emit(commandEvent,operands,unknown)}else if(operands.
length){if(this._findCommand("*")){return this._dispatchSubcommand("*",operands,unknown)}if(this.listenerCount("command:\
*")){this.emit("command:*",operands,unknown)}else if(this.commands.length){this.unknownCommand()}else{checkForUnknownOptions();
this._processArguments()}}else if(this.commands.length){checkForUnknownOptions();this.help({error:true})}else{checkForUnknownOptions();
this._processArguments()}}_findCommand(name){if(!name)return void 0;return this.commands.find(cmd=>cmd._name===name||cmd.
_aliases.includes(name))}_findOption(arg){return this.options.find(option=>option.is(arg))}_checkForMissingMandatoryOptions(){
this._getCommandAndAncestors().forEach(cmd=>{cmd.options.forEach(anOption=>{if(anOption.mandatory&&cmd.getOptionValue(anOption.
attributeName())===void 0){cmd.missingMandatoryOptionValue(anOption)}})})}_checkForConflictingLocalOptions(){const definedNonDefaultOptions=this.
options.filter(option=>{const optionKey=option.attributeName();if(this.getOptionValue(optionKey)===void 0){return false}
return this.getOptionValueSource(optionKey)!=="default"});const optionsWithConflicting=definedNonDefaultOptions.filter(option=>option.
conflictsWith.length>0);optionsWithConflicting.forEach(option=>{const conflictingAndDefined=definedNonDefaultOptions.find(
defined=>option.conflictsWith.includes(defined.attributeName()));if(conflictingAndDefined){this._conflictingOption(option,
conflictingAndDefined)}})}_checkForConflictingOptions(){this._getCommandAndAncestors().forEach(cmd=>{cmd._checkForConflictingLocalOptions()})}parseOptions(args){
const operands=[];const unknown=[];let dest=operands;function maybeOption(arg){return arg.length>1&&arg[0]==="-"}const negativeNumberArg=arg=>{
if(!/^-(\d+|\d*\.\d+)([eE][+-]?\d+)?$/.test(arg))return false;return!this._getCommandAndAncestors().some(cmd=>cmd.options.
map(opt=>opt.short).some(short=>/^-\d$/.test(short)))};let activeVariadicOption=null;let activeGroup=null;let i=0;while(i<
args.length||activeGroup){const arg=activeGroup??args[i++];activeGroup=null;if(arg==="--"){if(dest===unknown)dest.push(arg);
dest.push(...args.slice(i));break}if(activeVariadicOption&&(!maybeOption(arg)||negativeNumberArg(arg))){this.emit(`optio\
n:${activeVariadicOption.name()}`,arg);continue}activeVariadicOption=null;if(maybeOption(arg)){const option=this._findOption(
arg);if(option){if(option.required){const value=args[i++];if(value===void 0)this.optionMissingArgument(option);this.emit(
`option:${option.name()}`,value)}else if(option.optional){let value=null;if(i<args.length&&(!maybeOption(args[i])||negativeNumberArg(
args[i]))){value=args[i++]}this.emit(`option:${option.name()}`,value)}else{this.emit(`option:${option.name()}`)}activeVariadicOption=
option.variadic?option:null;continue}}if(arg.length>2&&arg[0]==="-"&&arg[1]!=="-"){const option=this._findOption(`-${arg[1]}`);
if(option){if(option.required||option.optional&&this._combineFlagAndOptionalValue){this.emit(`option:${option.name()}`,arg.
slice(2))}else{this.emit(`option:${option.name()}`);activeGroup=`-${arg.slice(2)}`}continue}}if(/^--[^=]+=/.test(arg)){const index=arg.
indexOf("=");const option=this._findOption(arg.slice(0,index));if(option&&(option.required||option.optional)){this.emit(
`option:${option.name()}`,arg.slice(index+1));continue}}if(dest===operands&&maybeOption(arg)&&!(this.commands.length===0&&
negativeNumberArg(arg))){dest=unknown}if((this._enablePositionalOptions||this._passThroughOptions)&&operands.length===0&&
unknown.length===0){if(this._findCommand(arg)){operands.push(arg);unknown.push(...args.slice(i));break}else if(this._getHelpCommand()&&
arg===this._getHelpCommand().name()){operands.push(arg,...args.slice(i));break}else if(this._defaultCommandName){unknown.
push(arg,...args.slice(i));break}}if(this._passThroughOptions){dest.push(arg,...args.slice(i));break}dest.push(arg)}return{
operands,unknown}}opts(){if(this._storeOptionsAsProperties){const result={};const len=this.options.length;for(let i=0;i<
len;i++){const key=this.options[i].attributeName();result[key]=key===this._versionOptionName?this._version:this[key]}return result}
return this._optionValues}optsWithGlobals(){return this._getCommandAndAncestors().reduce((combinedOptions,cmd)=>Object.assign(
combinedOptions,cmd.opts()),{})}error(message,errorOptions){this._outputConfiguration.outputError(`${message}
`,this._outputConfiguration.writeErr);if(typeof this._showHelpAfterError==="string"){this._outputConfiguration.writeErr(
`${this._showHelpAfterError}
`)}else if(this._showHelpAfterError){this._outputConfiguration.writeErr("\n");this.outputHelp({error:true})}const config=errorOptions||
{};const exitCode=config.exitCode||1;const code=config.code||"commander.error";this._exit(exitCode,code,message)}_parseOptionsEnv(){
this.options.forEach(option=>{if(option.envVar&&option.envVar in process2.env){const optionKey=option.attributeName();if(this.
getOptionValue(optionKey)===void 0||["default","config","env"].includes(this.getOptionValueSource(optionKey))){if(option.
required||option.optional){this.emit(`optionEnv:${option.name()}`,process2.env[option.envVar])}else{this.emit(`optionEnv\
:${option.name()}`)}}}})}_parseOptionsImplied(){const dualHelper=new DualOptions(this.options);const hasCustomOptionValue=optionKey=>{
return this.getOptionValue(optionKey)!==void 0&&!["default","implied"].includes(this.getOptionValueSource(optionKey))};this.
options.filter(option=>option.implied!==void 0&&hasCustomOptionValue(option.attributeName())&&dualHelper.valueFromOption(
this.getOptionValue(option.attributeName()),option)).forEach(option=>{Object.keys(option.implied).filter(impliedKey=>!hasCustomOptionValue(
impliedKey)).forEach(impliedKey=>{this.setOptionValueWithSource(impliedKey,option.implied[impliedKey],"implied")})})}missingArgument(name){
const message=`error: missing required argument '${name}'`;this.error(message,{code:"commander.missingArgument"})}optionMissingArgument(option){
const message=`error: option '${option.flags}' argument missing`;this.error(message,{code:"commander.optionMissingArgume\
nt"})}missingMandatoryOptionValue(option){const message=`error: required option '${option.flags}' not specified`;this.error(
message,{code:"commander.missingMandatoryOptionValue"})}_conflictingOption(option,conflictingOption){const findBestOptionFromValue=option2=>{
const optionKey=option2.attributeName();const optionValue=this.getOptionValue(optionKey);const negativeOption=this.options.
find(target=>target.negate&&optionKey===target.attributeName());const positiveOption=this.options.find(target=>!target.negate&&
optionKey===target.attributeName());if(negativeOption&&(negativeOption.presetArg===void 0&&optionValue===false||negativeOption.
presetArg!==void 0&&optionValue===negativeOption.presetArg)){return negativeOption}return positiveOption||option2};const getErrorMessage=option2=>{
const bestOption=findBestOptionFromValue(option2);const optionKey=bestOption.attributeName();const source=this.getOptionValueSource(
optionKey);if(source==="env"){return`environment variable '${bestOption.envVar}'`}return`option '${bestOption.flags}'`};
const message=`error: ${getErrorMessage(option)} cannot be used with ${getErrorMessage(conflictingOption)}`;this.error(message,
{code:"commander.conflictingOption"})}unknownOption(flag){if(this._allowUnknownOption)return;let suggestion="";if(flag.startsWith(
"--")&&this._showSuggestionAfterError){let candidateFlags=[];let command=this;do{const moreFlags=command.createHelp().visibleOptions(
command).filter(option=>option.long).map(option=>option.long);candidateFlags=candidateFlags.concat(moreFlags);command=command.
parent}while(command&&!command._enablePositionalOptions);suggestion=suggestSimilar(flag,candidateFlags)}const message=`e\
rror: unknown option '${flag}'${suggestion}`;this.error(message,{code:"commander.unknownOption"})}_excessArguments(receivedArgs){
if(this._allowExcessArguments)return;const expected=this.registeredArguments.length;const s=expected===1?"":"s";const received=receivedArgs.
length;const forSubcommand=this.parent?` for '${this.name()}'`:"";const details=receivedArgs.join(", ");const message=`e\
rror: too many arguments${forSubcommand}. Expected ${expected} argument${s} but got ${received}: ${details}.`;this.error(
message,{code:"commander.excessArguments"})}unknownCommand(){const unknownName=this.args[0];let suggestion="";if(this._showSuggestionAfterError){
const candidateNames=[];this.createHelp().visibleCommands(this).forEach(command=>{candidateNames.push(command.name());if(command.
alias())candidateNames.push(command.alias())});suggestion=suggestSimilar(unknownName,candidateNames)}const message=`erro\
r: unknown command '${unknownName}'${suggestion}`;this.error(message,{code:"commander.unknownCommand"})}version(str,flags,description){
if(str===void 0)return this._version;this._version=str;flags=flags||"-V, --version";description=description||"output the\
 version number";const versionOption=this.createOption(flags,description);this._versionOptionName=versionOption.attributeName();
this._registerOption(versionOption);this.on("option:"+versionOption.name(),()=>{this._outputConfiguration.writeOut(`${str}\

`);this._exit(0,"commander.version",str)});return this}description(str,argsDescription){if(str===void 0&&argsDescription===
void 0)return this._description;this._description=str;if(argsDescription){this._argsDescription=argsDescription}return this}summary(str){
if(str===void 0)return this._summary;this._summary=str;return this}alias(alias){if(alias===void 0)return this._aliases[0];
let command=this;if(this.commands.length!==0&&this.commands[this.commands.length-1]._executableHandler){command=this.commands[this.
commands.length-1]}if(alias===command._name)throw new Error("Command alias can't be the same as its name");const matchingCommand=this.
parent?._findCommand(alias);if(matchingCommand){const existingCmd=[matchingCommand.name()].concat(matchingCommand.aliases()).
join("|");throw new Error(`cannot add alias '${alias}' to command '${this.name()}' as already have command '${existingCmd}\
'`)}command._aliases.push(alias);return this}aliases(aliases){if(aliases===void 0)return this._aliases;aliases.forEach(alias=>this.
alias(alias));return this}usage(str){if(str===void 0){if(this._usage)return this._usage;const args=this.registeredArguments.
map(arg=>{return humanReadableArgName(arg)});return[].concat(this.options.length||this._helpOption!==null?"[options]":[],
this.commands.length?"[command]":[],this.registeredArguments.length?args:[]).join(" ")}this._usage=str;return this}name(str){
if(str===void 0)return this._name;this._name=str;return this}helpGroup(heading){if(heading===void 0)return this._helpGroupHeading??
"";this._helpGroupHeading=heading;return this}commandsGroup(heading){if(heading===void 0)return this._defaultCommandGroup??
"";this._defaultCommandGroup=heading;return this}optionsGroup(heading){if(heading===void 0)return this._defaultOptionGroup??
"";this._defaultOptionGroup=heading;return this}_initOptionGroup(option){if(this._defaultOptionGroup&&!option.helpGroupHeading)
option.helpGroup(this._defaultOptionGroup)}_initCommandGroup(cmd){if(this._defaultCommandGroup&&!cmd.helpGroup())cmd.helpGroup(
this._defaultCommandGroup)}nameFromFilename(filename){this._name=path.basename(filename,path.extname(filename));return this}executableDir(path2){
if(path2===void 0)return this._executableDir;this._executableDir=path2;return this}helpInformation(contextOptions){const helper=this.
createHelp();const context=this._getOutputContext(contextOptions);helper.prepareContext({error:context.error,helpWidth:context.
helpWidth,outputHasColors:context.hasColors});const text=helper.formatHelp(this,helper);if(context.hasColors)return text;
return this._outputConfiguration.stripColor(text)}_getOutputContext(contextOptions){contextOptions=contextOptions||{};const error=!!contextOptions.
error;let baseWrite;let hasColors;let helpWidth;if(error){baseWrite=str=>this._outputConfiguration.writeErr(str);hasColors=
this._outputConfiguration.getErrHasColors();helpWidth=this._outputConfiguration.getErrHelpWidth()}else{baseWrite=str=>this.
_outputConfiguration.writeOut(str);hasColors=this._outputConfiguration.getOutHasColors();helpWidth=this._outputConfiguration.
getOutHelpWidth()}const write=str=>{if(!hasColors)str=this._outputConfiguration.stripColor(str);return baseWrite(str)};return{
error,write,hasColors,helpWidth}}outputHelp(contextOptions){let deprecatedCallback;if(typeof contextOptions==="function"){
deprecatedCallback=contextOptions;contextOptions=void 0}const outputContext=this._getOutputContext(contextOptions);const eventContext={
error:outputContext.error,write:outputContext.write,command:this};this._getCommandAndAncestors().reverse().forEach(command=>command.
emit("beforeAllHelp",eventContext));this.emit("beforeHelp",eventContext);let helpInformation=this.helpInformation({error:outputContext.
error});if(deprecatedCallback){helpInformation=deprecatedCallback(helpInformation);if(typeof helpInformation!=="string"&&
!Buffer.isBuffer(helpInformation)){throw new Error("outputHelp callback must return a string or a Buffer")}}outputContext.
write(helpInformation);if(this._getHelpOption()?.long){this.emit(this._getHelpOption().long)}this.emit("afterHelp",eventContext);
this._getCommandAndAncestors().forEach(command=>command.emit("afterAllHelp",eventContext))}helpOption(flags,description){
if(typeof flags==="boolean"){if(flags){if(this._helpOption===null)this._helpOption=void 0;if(this._defaultOptionGroup){this.
_initOptionGroup(this._getHelpOption())}}else{this._helpOption=null}return this}this._helpOption=this.createOption(flags??
"-h, --help",description??"display help for command");if(flags||description)this._initOptionGroup(this._helpOption);return this}_getHelpOption(){
if(this._helpOption===void 0){this.helpOption(void 0,void 0)}return this._helpOption}addHelpOption(option){this._helpOption=
option;this._initOptionGroup(option);return this}help(contextOptions){this.outputHelp(contextOptions);let exitCode=Number(
process2.exitCode??0);if(exitCode===0&&contextOptions&&typeof contextOptions!=="function"&&contextOptions.error){exitCode=
1}this._exit(exitCode,"commander.help","(outputHelp)")}addHelpText(position,text){const allowedValues=["beforeAll","befo\
re","after","afterAll"];if(!allowedValues.includes(position)){throw new Error(`Unexpected value for position to addHelpT\
ext.
Expecting one of '${allowedValues.join("', '")}'`)}const helpEvent=`${position}Help`;this.on(helpEvent,context=>{let helpStr;
if(typeof text==="function"){helpStr=text({error:context.error,command:context.command})}else{helpStr=text}if(helpStr){context.
write(`${helpStr}
`)}});return this}_outputHelpIfRequested(args){const helpOption=this._getHelpOption();const helpRequested=helpOption&&args.
find(arg=>helpOption.is(arg));if(helpRequested){this.outputHelp();this._exit(0,"commander.helpDisplayed","(outputHelp)")}}};
function incrementNodeInspectorPort(args){return args.map(arg=>{if(!arg.startsWith("--inspect")){return arg}let debugOption;
let debugHost="127.0.0.1";let debugPort="9229";let match;if((match=arg.match(/^(--inspect(-brk|-wait)?)$/))!==null){debugOption=
match[1]}else if((match=arg.match(/^(--inspect(-brk|-port|-wait)?)=(\[[^\]]+\]|[^:]+)$/))!==null){debugOption=match[1];if(/^\d+$/.
test(match[3])){debugPort=match[3]}else{debugHost=match[3]}}else if((match=arg.match(/^(--inspect(-brk|-port|-wait)?)=(\[[^\]]+\]|[^:]+):(\d+)$/))!==
null){debugOption=match[1];debugHost=match[3];debugPort=match[4]}if(debugOption&&debugPort!=="0"){return`${debugOption}=${debugHost}\
:${parseInt(debugPort)+1}`}return arg})}function useColor(){if(process2.env.NO_COLOR||process2.env.FORCE_COLOR==="0"||process2.
env.FORCE_COLOR==="false")return false;if(process2.env.FORCE_COLOR||process2.env.CLICOLOR_FORCE!==void 0)return true;return void 0}var program=new Command;var HELP_WIDTH=110;var help=new Help;help.prepareContext({helpWidth:HELP_WIDTH});var getCommandPath=command=>command.parent===
null?command.name():`${getCommandPath(command.parent)} ${command.name()}`;var seeHelp=command=>`Run \`${getCommandPath(command)}\
 --help\` for its ${command.commands.length>0?"commands":"options"}.`;var paragraphs=(...texts)=>texts.map(text=>`
${help.boxWrap(text,HELP_WIDTH)}`).join("\n");var package_default={name:"tollgate",version:"0.1.0",description:"Says on every pull request what merging will cost and \
change in the cloud, and holds the merge by your own rules.",license:"Apache-2.0",type:"module",engines:{node:">=24"},bin:{
tollgate:"dist/cli/tollgate.js"},exports:{".":{types:"./dist/index.d.ts",default:"./dist/index.js"},"./package.json":"./\
package.json"},files:["dist","templates","examples","app.yml","docs/*.md","docs/ci","docs/operations","docs/platform","d\
ocs/recipes","docs/policy.schema.json","docs/policy-cases.schema.json"],publishConfig:{access:"public",provenance:true},
scripts:{start:"node src/cli/tollgate.js start",demo:"node src/cli/tollgate.js demo",tollgate:"node src/cli/tollgate.js",
dev:"node --watch --watch-preserve-output --watch-path=src --watch-path=templates --watch-path=examples src/cli/tollgate\
.js demo --port 4600",test:"npm run --silent check && npm run --silent test:unit && npm run --silent test:system","test:\
unit":"vitest run --project unit","test:system":"vitest run --project system","test:watch":"vitest --project unit","test\
:deep":"vitest run --mode deep",check:"tsc -p . && biome check . && depcruise --config .dependency-cruiser.cjs src test \
scripts && knip","lint:fix":"biome check --write .",bench:"node bench/main.ts",soak:"node test/soak/main.ts",build:"node\
 scripts/build.ts package && tsc -p tsconfig.build.json",generate:"node src/wiring/database/make-empty-database.ts && np\
m run generate:openapi && npm run generate:policy && npm run generate:pages","generate:pages":"node scripts/make-page-as\
sets.ts","generate:policy":"node src/wiring/policy/policy-documents.ts","generate:openapi":"node src/platform/openapi/ma\
ke-document.ts && node src/web/api/make-document.ts","generate:github":"node test/sandbox/make-github-description.ts","g\
enerate:graphql":"node test/sandbox/make-github-schema.ts","build:action":"node scripts/build.ts action",prepack:"npm ru\
n --silent build"},peerDependencies:{probot:"^14.3.2"},peerDependenciesMeta:{probot:{optional:true}},devDependencies:{"@\
biomejs/biome":"2.5.15","@bufbuild/re2":"0.6.1","@commander-js/extra-typings":"^15.1.0","@electric-sql/pglite":"0.5.16",
"@hono/node-server":"^2.1.8","@lezer/lr":"^1.4.12","@marcbachmann/cel-js":"8.0.0","@octokit/auth-app":"^8.3.1","@octokit\
/graphql-schema":"^15.26.1","@octokit/rest":"^22.0.1","@octokit/types":"^18.0.0","@octokit/webhooks-examples":"^7.6.1","\
@opentelemetry/api":"^1.9.1","@opentelemetry/core":"^2.12.1","@opentelemetry/exporter-trace-otlp-http":"^0.223.1","@open\
telemetry/resources":"^2.12.1","@opentelemetry/sdk-trace-base":"^2.12.1","@primer/octicons":"^19.42.0","@primer/primitiv\
es":"^11.10.0","@prometheus-io/lezer-promql":"^0.315.0","@seriousme/openapi-schema-validator":"2.11.0","@swc/core":"1.16\
.18","@types/big.js":"^7.0.0","@types/hast":"^3.0.5","@types/mdast":"^4.0.4","@types/node":"^24.19.2","@types/nodemailer":"\
^8.0.2","@types/pg":"^8.23.1",ajv:"8.20.0","ajv-formats":"3.0.1","axe-core":"^4.14.1","big.js":"^7.0.1",commander:"^15.1\
.0","csv-stringify":"^6.9.0","dependency-cruiser":"^18.7.2",echarts:"^6.1.0",esbuild:"^0.28.2","fast-check":"^4.10.2","f\
ast-string-truncated-width":"^3.0.3","github-markdown-css":"^5.9.0",graphql:"^16.15.0",handlebars:"^4.7.10",hono:"^4.13.\
19",jose:"^6.2.17",knip:"6.42.1",kysely:"^0.29.9","lru-cache":"^11.5.3",nock:"^15.0.6","node-for-checkouts":"file:script\
s/node",nodemailer:"^10.6.0",pg:"^8.23.1","pg-boss":"12.35.0",pino:"^10.4.0","playwright-core":"1.65",probot:"^14.3.2","\
prom-client":"^15.1.3","rehype-raw":"^7.0.0","rehype-sanitize":"^6.0.0","rehype-stringify":"^10.0.1","remark-gfm":"^4.0.\
1","remark-parse":"^11.0.0","remark-rehype":"^11.1.2","smtp-server":"^3.21.6",typescript:"^7.0.2",undici:"^8.12.4",unified:"\
^11.0.5",vitest:"^5.1.1",yaml:"^2.9.1",zod:"^4.6.7"},overrides:{"@octokit/types":"^18.0.0"}};var VERSION=package_default.version;var UNSAFE_CHARACTERS=new RegExp("[[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]--[\\n\\t\\ufe0f]]|(?<!\\\
p{Extended_Pictographic})\\ufe0f","gv");var escapeForTerminal=text=>text.replace(UNSAFE_CHARACTERS,found=>[...Array(found.
length).keys()].map(at=>`\\u${found.charCodeAt(at).toString(16).padStart(4,"0")}`).join(""));export{PARSE_OPTIONS,parseHost,isPlainOrigin,readEnvironment,readSettings,CommanderError,InvalidArgumentError,Help,Command,
VERSION,HELP_WIDTH,getCommandPath,seeHelp,paragraphs,escapeForTerminal};
