import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{readCiEnvironment}from"../chunks/chunk-C7L6Q54U.js";import{Command,CommanderError,HELP_WIDTH,Help,InvalidArgumentError,
PARSE_OPTIONS,VERSION,escapeForTerminal,getCommandPath,seeHelp}from"../chunks/chunk-R4HMJF4N.js";import{TollgateError,external_exports,
require_dist}from"../chunks/chunk-AX2I6GI4.js";import{__toESM}from"../chunks/chunk-MEAQO6XE.js";import{existsSync,readFileSync,rmSync}from"node:fs";import{tmpdir}from"node:os";import{join}from"node:path";async function createProgram(rows,words,output){const program=createRoot(output);const typed=words.filter(word2=>!word2.
startsWith("-"));for(const{name,summary,load}of rows){const names=name.split(" ");const isTyped=names.every((one,at)=>typed[at]===
one);const command=isTyped?(await load())(output,typed.slice(names.length)):new Command;const[own=name]=names.splice(-1);
parentIn(program,names).addCommand(command.name(own).summary(summary))}configure(program,words);return program}var createRoot=output=>new Command(
"tollgate").usage("COMMAND [OPTIONS]").description("Tollgate says on every pull request what merging will cost and chang\
e in the cloud.").version(VERSION).enablePositionalOptions().exitOverride().configureHelp({formatHelp}).configureOutput(
{writeOut:text=>output.result(text.trimEnd()),writeErr:text=>output.message(text.trimEnd()),outputError:(text,write)=>write(
text.replace(/^error: /,"").replace("\n("," (")),getOutHelpWidth:()=>Math.min(output.columns??HELP_WIDTH,HELP_WIDTH),getErrHelpWidth:()=>HELP_WIDTH}).
addHelpText("after","\n`tollgate COMMAND --help` describes one of them.\nExit codes: 0 pass or warn, 1 blocked, 2 wrong us\
age or unreadable input, 3 undecided.");function formatHelp(command,help){if(command.parent===null){help.visibleCommands=
({commands})=>commands.flatMap(one=>one.commands.length===0?[one]:one.commands);help.subcommandTerm=one=>getCommandPath(
one).replace("tollgate ","")}return Help.prototype.formatHelp.call(help,command,help)}var parentIn=(program,[group])=>group===
void 0?program:program.commands.find(one=>one.name()===group)??program.command(group);function configure(command,words){
if(command.description()==="")command.description(command.summary());command.helpCommand(false).showHelpAfterError(seeHelp(
command));for(const option of command.options.filter(({required})=>required))checkValues(option,words);for(const one of command.
commands)configure(one.copyInheritedSettings(command),words)}function checkValues(option,words){const{variadic,long}=option;
const parse2=option.parseArg??(variadic?append:value=>value);option.argParser((value,previous)=>{const problem=nextOption(
value,words,long)??(variadic?null:single(value,previous,option));if(problem!==null)throw new InvalidArgumentError(problem);
return parse2(value,previous)})}var append=(value,previous)=>Array.isArray(previous)?[...previous,value]:[value];var nextOption=(value,words,long="")=>/^--?[a-z]/i.
test(value)&&!words.includes(`${long}=${value}`)?`It looks like an option; write ${long}=${value} if it is a value.`:null;
function single(value,previous,{long,defaultValue}){if(previous!==void 0&&previous!==defaultValue)return`${long} is give\
n twice.`;return value===""?"A value is missing.":null}var harmlessOutput=output=>({...output,result:text=>output.result(escapeForTerminal(text)),...output.progress!==void 0&&
{progress:text=>output.progress?.(text===null?null:escapeForTerminal(text))},message:text=>output.message(escapeForTerminal(
text).replaceAll("\n","\n  "))});function explainError(error,usageHint){if(error instanceof TollgateError){const hint=error.
hint??(error.code==="usage"?usageHint:void 0);return hint===void 0?[error.message]:[error.message,hint]}const places=error instanceof
Error?(error.stack??"").split("\n").filter(line=>/^\s+at /.test(line)):[];const kind=error instanceof Error?error.name:typeof error;
return[`This is a fault of Tollgate itself (${kind}). Please report it with these lines:`,...places.slice(0,8)]}async function run(rows,words,output){const safe=harmlessOutput(output);const typed=words[0]==="help"?[...words.slice(1),
"--help"]:words;let called=null;try{const program=await createProgram(rows,typed,safe);program.hook("preAction",(_,command)=>{
called=command});await program.parseAsync(typed,{from:"user"})}catch(error){output.exit(isHelp(error)?0:2);if(error instanceof
CommanderError)return;const hint=called===null?void 0:seeHelp(called);for(const line of explainError(error,hint))safe.message(
line)}}var isHelp=error=>error instanceof CommanderError&&error.exitCode===0;var buildCheckWords=(inputs,{report,summary})=>["ci",...inputs.stacks.flatMap(listFileWords),...word("pull-request",inputs.
pullRequest),...word("sha",inputs.sha),...word("organisation-policy",inputs.organisationPolicy),...inputs.hasPublicFigures?
["--public-figures"]:[],...word("report",report),...word("summary",summary??"")];var buildSendWords=(inputs,stack)=>["pl\
atform","import",...word("url",inputs.url),...listFileWords(stack),...word("sha",inputs.sha)];var listFileWords=({workspace,
plan="",infracost=""})=>[...word("workspace",workspace),...word("plan",plan),...word("infracost",infracost)];var word=(option,value)=>value===
""?[]:[`--${option}=${value}`];var import_yaml=__toESM(require_dist(),1);var Stacks=external_exports.array(external_exports.strictObject({workspace:external_exports.string().min(1),plan:external_exports.
string().optional(),infracost:external_exports.string().optional()})).min(1);function readInputs(environment){const get=name=>(environment[`\
INPUT_${name.toUpperCase()}`]??"").trim();const mode=get("mode")||"check";if(mode!=="check"&&mode!=="send")throw createInputError(
"mode",`is ${JSON.stringify(mode)}, must be check or send`);if(mode==="check"&&Number(get("job-total")||"1")>1)throw createMatrixError();
return{mode,stacks:readStacks(get),pullRequest:get("pull-request"),sha:get("sha"),organisationPolicy:get("organisation-p\
olicy"),hasPublicFigures:get("public-figures")==="true",token:get("github-token"),url:get("url"),workingDirectory:get("w\
orking-directory")||"."}}function readStacks(get){const text=get("stacks");const single2={plan:get("plan")||void 0,infracost:get(
"infracost")||void 0};if(text==="")return[{workspace:get("workspace")||"default",...single2}];if(single2.plan!==void 0||
single2.infracost!==void 0)throw createInputError("stacks","does not go with plan and infracost: write their files into \
the list");const parsed=Stacks.safeParse(parseYaml(text),PARSE_OPTIONS);if(parsed.success)return parsed.data;const[issue]=parsed.
error.issues;throw createInputError("stacks",`${issue?.path.join(".")||"the list"}: ${issue?.message}`)}function parseYaml(text){
try{return(0,import_yaml.parse)(text)}catch(error){if(error instanceof import_yaml.YAMLError)throw createInputError("sta\
cks",`is no YAML: ${error.message.split("\n")[0]}`);throw error}}var createInputError=(input,problem)=>new TollgateError(
"usage",`with.${input}: ${problem}`,{hint:"docs/ci/README.md describes the inputs, with complete workflows."});var createMatrixError=()=>new TollgateError(
"usage","mode check in a matrix: the verdict is about all workspaces, and this job has one of them",{hint:"Let the matri\
x upload its files, and evaluate them in one job after it: docs/ci/matrix.md."});import{randomUUID}from"node:crypto";import{appendFileSync}from"node:fs";var formatRunnerCommand=(command,text,properties={})=>{
const named=Object.entries(properties).map(([name,value])=>`${name}=${escapeProperty(value)}`);return`::${[command,named.
join(",")].filter(part=>part!=="").join(" ")}::${escapeText(text)}`};var escapeText=text=>text.replaceAll("%","%25").replaceAll(
"\r","%0D").replaceAll("\n","%0A");var escapeProperty=text=>escapeText(text).replaceAll(":","%3A").replaceAll(",","%2C");
function writeOutputs(file,outputs){const end=`end-${randomUUID()}`;const lines=Object.entries(outputs).map(([name,value])=>`${name}\
<<${end}
${value}
${end}
`);appendFileSync(file,lines.join(""))}async function runAction(host){const messages=[];try{const inputs=readInputs(host.environment);if(inputs.token!=="")host.
print(formatRunnerCommand("add-mask",inputs.token));host.changeDirectory(inputs.workingDirectory);const code=await(inputs.
mode==="check"?check:send)(host,inputs,messages);if(code!==0)host.print(annotate(messages.at(-1)??WORDS[code]));return code}catch(error){
if(!(error instanceof TollgateError))throw error;host.print(annotate([error.message,error.hint].filter(Boolean).join(". ")));
return 2}}var annotate=text=>formatRunnerCommand("error",text,{title:"Tollgate"});var WORDS={0:"passed",1:"The policy bl\
ocks this pull request. The comment says why, and who can approve it.",2:"Something could not be read or written.",3:"A \
rule is undecided, so the merge is held. The comment says what is missing."};var Report=external_exports.object({conclusion:external_exports.
string().nullable(),report:external_exports.object({totals:external_exports.array(external_exports.object({currency:external_exports.
string().nullable(),change:external_exports.string().nullable()}))}).nullable()});async function check(host,inputs,messages){
const{environment}=host;const report=join(environment["RUNNER_TEMP"]||tmpdir(),"tollgate-report.json");const words=buildCheckWords(
inputs,{report,summary:environment["GITHUB_STEP_SUMMARY"]||null});const jobEnvironment={...environment,GITHUB_TOKEN:inputs.
token||environment["GITHUB_TOKEN"]};rmSync(report,{force:true});const load=async()=>(await import("../chunks/ci-SKEJ762W.js")).
ciCommand(()=>jobEnvironment);const code=await runWords(host,[{name:"ci",summary:"",load}],{words,messages});const{GITHUB_OUTPUT:outputs=""}=environment;
if(outputs!==""&&existsSync(report))writeOutputs(outputs,{...readOutputs(report),report});return code}function readOutputs(report){
const{conclusion,report:found}=Report.parse(JSON.parse(readFileSync(report,"utf8")));const totals=found?.totals??[];const isKnown=totals.
every(({change,currency})=>change!==null&&currency!==null);return{conclusion:conclusion??"",change:isKnown?totals.map(({
change,currency})=>`${change} ${currency}`).join(", "):""}}async function send(host,inputs,messages){if(inputs.url==="")
throw new TollgateError("usage","with.url: is missing, mode send needs the address of the Tollgate server",{hint:"Use mo\
de check to evaluate in this job, without a server."});const load=async()=>(await import("../chunks/platform-import-ZHBHXIVN.js")).platformImportCommand();
for(const stack of inputs.stacks){const words=buildSendWords(inputs,stack);const code=await runWords(host,[{name:"platfo\
rm import",summary:"",load}],{words,messages});if(code!==0)return code}return 0}async function runWords({print},rows,{words,
messages}){let code=0;await run(rows,words,{result:print,message:text=>{messages.push(text);print(text)},exit:ended=>{code=
ended}});return code}process.exitCode=await runAction({environment:readCiEnvironment(),print:line=>process.stdout.write(`${line}
`),changeDirectory:path=>process.chdir(path)});
