import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{COMMENT_SECTIONS,ConditionRun,RULE_KINDS,buildReport,compileCondition,deriveModulePath,evaluateSum,evaluateWithin,
formatPlainNumber,joinLists,renameStages,selectApplicable}from"../../chunks/chunk-F37SYNUL.js";import{suggestChoice}from"../../chunks/chunk-SXFCSH55.js";
import{POLICY_EVENTS,TARGET_NAME,TARGET_NAME_RULE,TollgateError,computePercentChange,decimal,describeGlobProblem,external_exports,
isPlatformId,minus,require_dist,sum}from"../../chunks/chunk-AX2I6GI4.js";import{__toESM}from"../../chunks/chunk-MEAQO6XE.js";import{parentPort,workerData}from"node:worker_threads";var MEMBER_NOUNS={branches:"base branch",authors:"author",labels:"label",paths:"changed path",stages:"stage",workspaces:"\
workspace",modules:"module",resource_types:"resource type",providers:"provider"};function describeMismatch({member,patterns,
here,more,meant,excluded}){const found2=here.length===0?"none":here.join(", ");const rest=more===0?"":` and ${more} more`;
const guess=meant===null?"":` (did you mean ${meant}?)`;if(excluded===true)return`each ${MEMBER_NOUNS[member]} here is l\
eft out by not: ${patterns.join(", ")}; here: ${found2}${rest}`;return`no ${MEMBER_NOUNS[member]} matches ${patterns.join(
", ")}; here: ${found2}${rest}${guess}`}function buildStageFacts(stage2){const{workspace,status="succeeded",proven=true,unknown={}}=stage2;return{org:"org",project:"\
project",workspace,executionId:`execution-of-${workspace}`,stageExecutionId:`stage-of-${workspace}`,source:"file",proven,
status,createdMs:null,cost:toFact(unknown.cost,()=>buildStageCost(stage2)),modules:toFact(unknown.modules??unknown.cost,
()=>buildModuleCosts(stage2)),counts:toFact(unknown.changes,()=>countChanges(stage2)),rows:toFact(unknown.rows,()=>({rows:buildRows(
stage2),omitted:0,unread:0})),superseded:[]}}var toFact=(reason,make)=>reason===void 0?{state:"known",value:make()}:{state:"\
unknown",reason};var toDelta=([before,after])=>({before,after,change:minus(after,before),percent:computePercentChange(before,
after)});var listPriced=({resources={}})=>Object.entries(resources);var sumAddressCosts=parts=>[sum(parts.map(([,[before]])=>before)),
sum(parts.map(([,[,after]])=>after))];var computeTotal=stage2=>{const[before,after]=sumAddressCosts(listPriced(stage2));
return[stage2.before??before,stage2.after??after]};function buildStageCost(stage2){const byType=Map.groupBy(listPriced(stage2),
([address])=>parseType(address));const{unpriced={},unknown,currency="USD"}=stage2;return{...toDelta(computeTotal(stage2)),
currency,completeness:"complete",problems:[],groups:[...byType].map(([type,own])=>({type,...toDelta(sumAddressCosts(own)),
resources:own.map(([address,cost])=>({address,components:[],...toDelta(cost)}))})),unpriced:unknown?.unpriced===void 0?{
count:Object.values(unpriced).reduce((total,count2)=>total+count2,0),types:unpriced}:null,...unknown?.usage===void 0&&{usage:buildUsage(
stage2)},partsAreWhole:false}}var USAGE_CHANGES=["added","changed","deleted","given","unchanged","unstated"];function buildUsage({
usage={}}){const resources=USAGE_CHANGES.flatMap(change=>(usage[change]??[]).map(address=>({address,type:parseType(address),
change})));return{resources,unnamed:usage.unnamed??0,unnamedUnchanged:0}}function buildModuleCosts(stage2){const{modules,
currency="USD"}=stage2;const priced=listPriced(stage2);const byModule=Map.groupBy(priced,([address])=>deriveModulePath(address));
const derived=priced.length===0?[["root",computeTotal(stage2)]]:[...byModule].map(([module,own])=>[module,sumAddressCosts(
own)]);const moduleCosts=modules===void 0?derived:Object.entries(modules);return moduleCosts.map(([module,cost])=>({module,
currency,...toDelta(cost)}))}var KINDS=["added","changed","deleted","replaced","imported","removed","drifted"];var buildRows=({
rows={}})=>KINDS.flatMap(change=>(rows[change]??[]).map(address=>({address,type:parseType(address),module:deriveModulePath(
address),change})));function countChanges({rows={},changes={}}){const count2=(...kinds)=>kinds.reduce((total,kind)=>total+
(rows[kind]?.length??0),0);const replaced=changes.replaced??count2("replaced");return{added:changes.added??count2("added")+
replaced,changed:changes.changed??count2("changed"),deleted:changes.deleted??count2("deleted")+replaced,replaced,imported:changes.
imported??count2("imported"),removed:changes.removed??count2("removed"),unchanged:changes.unchanged??0,drifted:changes.drifted??
count2("drifted")}}function parseType(address){const steps=address.replaceAll(/\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]/g,"").split(
".");return steps.at(-2)??address}var CASE_PROJECT={org:"org",project:"project"};var REFUSED_EXECUTION={...CASE_PROJECT,executionId:"hidden",reason:"not_g\
ranted"};function buildCaseFacts(testCase){return{stages:(testCase.stages??[]).map(buildStageFacts),refused:testCase.hidden===
true?[REFUSED_EXECUTION]:[],context:buildContextFacts(testCase)}}function buildContextFacts(testCase){const{anomalies=0,
governance_failures:failed=0,unit_costs={}}=testCase;const unless=(name,value)=>testCase.unknown?.includes(name)===true?
{state:"unknown",reason:"not_read"}:{state:"known",value};return{schedules:unless("lifetimes",testCase.lifetime===void 0?
[]:[buildSchedule(testCase.lifetime)]),savings:unless("savings",buildSavings(testCase)),anomalies:unless("anomalies",{count:anomalies,
impact:null,items:[]}),governance:unless("governance",{day:"2026-01-01",failed,total:failed,statuses:{}}),unitCosts:unless(
"unit_costs",Object.entries(unit_costs).map(([metric,[before,after]])=>({metric,name:metric,perspective:null,before,after,
asOf:null,currency:"USD"}))),prompts:unless("governance_prompts",(testCase.governance_prompts??[]).map(({type,resource=type,
description})=>({resource,types:[type],description})))}}var buildSchedule=ms=>({...CASE_PROJECT,provisioner:"any",driftEveryMs:null,
lifetime:{ms,onDate:null}});function buildSavings({savings=[]}){const byCurrency=Map.groupBy(savings,({monthly})=>monthly.
currency);return{totals:[...byCurrency].map(([currency,own])=>({amount:sum(own.map(({monthly})=>monthly.amount)),currency})),
items:savings.map(({address,workspace,type="",monthly},at2)=>({recommendationId:String(at2),address,workspace,resourceType:type,
change:"changed",monthly})),unmatched:0}}var DAY_MS=864e5;var USUAL_DAY_MS=Date.UTC(2026,0,1);function buildCaseContext(testCase){
const{pull={},day:day2}=testCase;const missing=name=>pull.unknown?.includes(name)===true;return{number:pull.number??1,author:missing(
"author")?null:(pull.author??"somebody").toLowerCase(),labels:missing("labels")?null:pull.labels??[],baseRef:pull.base??
"main",draft:pull.draft??false,paths:pull.paths??[],pathsComplete:!missing("paths"),nowMs:day2===void 0?USUAL_DAY_MS:day2-
DAY_MS,budgetUse:testCase.unknown?.includes("budget_use")===true?null:buildBudgetUse(testCase)}}function buildBudgetUse({
budget_use:use={}}){const{workspaces=[],pulls=[]}=use;return{workspaces:workspaces.map(({workspace,monthly})=>({...CASE_PROJECT,
workspace,...monthly})),pulls:pulls.map(({workspace,monthly},at2)=>({...CASE_PROJECT,workspace,...monthly,number:at2+2})),
unknown:[]}}function evaluateCase(testCase,policy,conditions=new ConditionRun){const report=buildReport(buildCaseFacts(testCase),{stages:policy.
stages});const verdict=evaluateWithin(report,policy,{context:buildCaseContext(testCase),conditions});const{verdict:kind,
findings={}}=testCase.expect;const rules=policy.rules.map(({id})=>id);const differences=[...kind===void 0||kind===verdict.
kind?[]:[{what:"verdict",expected:kind,found:verdict.kind}],...Object.entries(findings).flatMap(([rule,expected])=>rules.
includes(rule)?compareFindings(rule,toMapping(expected),verdict.findings.filter(finding=>finding.rule===rule)):[createUnknownRule(
rule,toMapping(expected),rules)]),...listUnexpected(verdict.findings,new Set(Object.keys(findings)))];return{name:testCase.
case,verdict,differences}}var toMapping=expected=>typeof expected==="string"?{outcome:expected}:expected;function createUnknownRule(rule,{
outcome},rules){const meant=suggestChoice(rule,rules);const found2=`no rule is called so${meant===null?"":` (did you mea\
n ${meant}?)`}`;return{what:rule,expected:outcome,found:found2}}var listUnexpected=(findings,named)=>{const strangers=findings.
filter(({rule,outcome})=>!["passed","not_applicable"].includes(outcome)&&!named.has(rule));return[...Map.groupBy(strangers,
({rule})=>rule)].map(([rule,own])=>({what:rule,expected:"nothing",found:describeFindings(own)}))};function compareFindings(rule,{
outcome,about,measured,message:message2,because},findings){const own=findings.filter(finding=>deriveCaseOutcome(finding)===
outcome);if(own.length<countRequired(outcome,findings))return[{what:rule,expected:outcome,found:describeFindings(findings)}];
const differs=(what,expected,found2)=>expected===void 0||expected===found2?[]:[{what:`${rule} ${what}`,expected,found:found2}];
const[first]=own;return[...differs("about",about===void 0?void 0:joinNames(about),joinNames(own.flatMap(({subject})=>subject??
[]))),...differs("measured",measured,formatMeasured(first?.measured??null)),...differs("message",message2,first?.message??
"none"),...differs("because",because,(first?.because??[]).map(describeReason).join(", "))]}var countRequired=(outcome,findings)=>outcome===
"passed"?Math.max(1,findings.length):1;var joinNames=names2=>names2.toSorted().join(", ");function deriveCaseOutcome({outcome,
waiver}){if(outcome==="not_applicable")return"silent";return waiver===null?outcome:"waived"}var describeFindings=findings=>findings.
map(finding=>{const{subject,measured,because,mismatch}=finding;const reasons=mismatch===void 0?because.map(describeReason).
join(", "):describeMismatch(mismatch);const value=measured===null?reasons:formatMeasured(measured);const about=subject===
null?"":` in ${subject}`;return`${deriveCaseOutcome(finding)}${about}${value===""?"":`: ${value}`}`}).join("; ");function formatMeasured(measured){
switch(measured?.kind){case void 0:return"";case"money":return`${measured.amount} ${measured.currency}`;case"percent":return`${measured.
percent}%`;case"increase_from_zero":return"increase from zero";case"count":return String(measured.count);case"condition":
return measured.count===null?"":String(measured.count)}}function describeReason(because){if(because.kind==="unknown")return because.
reason;if(because.kind==="condition_failed")return because.problem;return because.kind==="other_currency"?`${because.found}\
 for ${because.expected}`:because.kind}var DEFAULT_EXPECTATION={paths:["**/*.{tf,tofu,tfvars,hcl}","**/*.{tf,tofu,tfvars,hcl}.json","**/*.{tftpl,tfbackend,tfst\
ate}"],workspaces:[],withinMs:2*36e5};function readMember(value,key){if(typeof value!=="object"||value===null||!Object.hasOwn(value,key))return void 0;return value[key]}function formatPath(path2){let text="";for(const step of path2){if(typeof step==="number")text+=`[${step}]`;else if(PLAIN_KEY.
test(String(step)))text+=text===""?String(step):`.${String(step)}`;else text+=`[${JSON.stringify(String(step))}]`}return text}
var PLAIN_KEY=/^[A-Za-z_][\w-]*$/;var byPlace=(a,b)=>a.line-b.line||a.column-b.column;var KEY="override";function findOverrideFlaws(tree,{isOverrideMandatory,mandatory}){const own=readMember(tree.value,KEY);
if(own===void 0)return[];const flaws=[];if(isOverrideMandatory||mandatory.size>0){const why=isOverrideMandatory?"the org\
anisation's file decides who may override":"the organisation's file has mandatory rules, so it decides who may override";
flaws.push({...tree.findKeyPosition([],KEY),path:KEY,message:`${why}; remove it`})}if(readMember(own,"mandatory")!==void 0){
const path2=formatPath([KEY,"mandatory"]);const message2="is for the organisation's file only; remove it";flaws.push({...tree.
findKeyPosition([KEY],"mandatory"),path:path2,message:message2})}return flaws}var PARTS={modules:"modules",resource_types:"types",providers:"types"};var listNamedParts=scope2=>listNamedKeys(scope2,Object.
keys(PARTS)).map(({key,name})=>({key,part:PARTS[name]}));var listNamedKeys=(scope2,names2)=>[...names2.filter(name=>scope2[name]!==
void 0).map(name=>({name,key:String(name)})),...names2.filter(name=>scope2.not?.[name]!==void 0).map(name=>({name,key:`n\
ot.${String(name)}`}))];function findScopeProblems({kind,per,scope:scope2,when}){if(kind===void 0||scope2===void 0)return[];
return[...findUnknownParts(kind,scope2),...findUncountedParts(when,scope2),...findCrossedParts(per,listNamedParts(scope2))]}
function findWaiverScopeProblems(rule,scope2){const{kind,per,when}=rule;if(kind===void 0)return[];if(kind==="budget")return findBudgetParts(
scope2);const own=findCrossedParts(per,[...listNamedParts(rule.scope??{}),...listNamedParts(scope2)]).map(()=>({key:listNamedParts(
scope2)[0]?.key??null,message:`does not fit the rule, which looks at each ${per}; remove it`}));return[...findUnknownParts(
kind,scope2),...findUncountedParts(when,scope2),...own]}var findUnknownParts=(kind,scope2)=>listNamedParts(scope2).filter(
({part})=>!RULE_KINDS[kind].parts.includes(part)).map(({key})=>({key,message:`is not available for ${kind}, which is not\
 known part by part; remove it`}));function findUncountedParts(when,scope2){const key=listNamedParts(scope2)[0]?.key;const compiled=when===
void 0?null:compileCondition(when);if(key===void 0||compiled?.ok!==true||!compiled.condition.needs.includes("unchanged"))
return[];return[{key,message:"is not available here: the condition reads unchanged, which is not known part by part"}]}function findCrossedParts(per,parts){
const kinds=new Set(parts.map(({part})=>part));const crosses=per==="module"&&kinds.has("types")||per==="resource-type"&&
kinds.has("modules");const other=per==="module"?"resource types":"modules";return crosses?[{key:null,message:`found "${per}\
", but a scope by ${other} has no such lines`}]:[]}var findBudgetParts=scope2=>listNamedKeys(scope2,["stages","workspace\
s","modules","resource_types","providers"]).map(({key})=>({key,message:"is not available for a budget, which can be waiv\
ed only as a whole; remove it"}));function findRuleFlaws(tree,{rules,warnableRules:mayWarn,organisation}){const first=new Map;return rules.flatMap(rule=>{
const twin=rule.id===void 0?void 0:first.get(rule.id);if(rule.id!==void 0&&twin===void 0)first.set(rule.id,rule);const complaints=[
...twin===void 0?[]:[createRuleProblem("id",`${twin.list}[${twin.index}] has this id already; choose another`)],...findChoiceProblems(
rule),...findConditionProblems(rule,tree),...findPerProblems(rule),...findScopeProblems(rule).map(({key,message:message2})=>createRuleProblem(
key===null?"per":`scope.${key}`,message2)),...findUnknownProblems(rule,mayWarn),...findExistingProblems(rule),...organisation===
null?[]:findRepositoryProblems(rule,organisation)];return complaints.map(({key,message:message2,character})=>{const path2=[
rule.list,rule.index,...key===null?[]:key.split(".")];const place=character===null?tree.findPosition(path2):tree.findTextPosition(
path2,character);return{...place,path:formatPath(path2),message:message2}})})}var createRuleProblem=(key,message2)=>({key,
message:message2,character:null});function findChoiceProblems({has}){if(has.limit!==has.when)return[];return has.limit?[
createRuleProblem("when","stands beside a limit; a rule has one of them, write two rules")]:[createRuleProblem(null,"has\
 neither limit nor when; expected one of them")]}function findConditionProblems({when,list,index},tree){if(when===void 0)
return[];const compiled=compileCondition(when);if(compiled.ok)return[];if(tree.endsAtComma([list,index,"when"]))return[createRuleProblem(
"when","ends at a comma, as a text within { } does; put the whole condition in quotes")];return[{key:"when",message:compiled.
message,character:compiled.offset}]}function findPerProblems({kind,per}){if(kind===void 0||per===void 0||RULE_KINDS[kind].
granularities.includes(per))return[];const pers=RULE_KINDS[kind].granularities.join(" or ");return[createRuleProblem("pe\
r",`found "${per}", expected ${pers}: that is what ${kind} can look at`)]}function findUnknownProblems(rule,mayWarn){const{
id,enforce:enforce2,on_unknown}=rule;if(enforce2==="warn"&&on_unknown==="block"){return[createRuleProblem("on_unknown",'\
found "block", but a rule that enforces warn warns in any case; remove it')]}if(typeof enforce2==="object"&&on_unknown===
"block"){const message2='found "block", but where a rule warns, what is not known warns as well; remove it: where it blo\
cks, what is not known blocks already';return[createRuleProblem("on_unknown",message2)]}if(enforce2==="warn"||on_unknown!==
"warn"||mayWarn.has(id??""))return[];const way="enforce warn, or let allow_warn_on_unknown in the organisation's file na\
me the rule";return[createRuleProblem("on_unknown",`found "warn", but a rule that blocks must not let unknown facts thro\
ugh; ${way}`)]}var NEW_AWARE_KINDS=["unpriced","usage","drift"];function findExistingProblems({kind,existing}){if(existing===
void 0||kind===void 0||NEW_AWARE_KINDS.includes(kind))return[];return[createRuleProblem("existing",`is not for ${kind}, \
but for unpriced, usage and drift; remove it`)]}function findRepositoryProblems({id,mandatory},organisation){const forOrganisation="\
is for the organisation's file only; remove it";const redefined=`found "${id}", a mandatory rule of the organisation tha\
t cannot be redefined; choose another id`;return[...mandatory===void 0?[]:[createRuleProblem("mandatory",forOrganisation)],
...organisation.mandatory.has(id??"")?[createRuleProblem("id",redefined)]:[]]}var AMOUNT=/^(0|[1-9]\d{0,14})(\.\d{1,12})? [A-Z]{3}$/;var amount=external_exports.string({error:({input})=>describeExpectedAmount(
input)}).regex(AMOUNT,{error:({input})=>describeExpectedAmount(input),abort:true}).refine(text=>Intl.supportedValuesOf("\
currency").includes(text.slice(-3)),{error:"a currency code of ISO 4217, such as USD or EUR"}).transform(text=>{const[value="",
currency=""]=text.split(" ");return{amount:decimal(value),currency}}).meta({description:"An amount of money per month: a\
 decimal number and a currency code.",examples:["500 USD"]});function describeExpectedAmount(input){const expected='an a\
mount of zero or more with its currency, such as "500 USD"';const meant=guessAmount(String(input).trim());return meant===
null?expected:`${expected} (${meant})`}var SIGNS={$:"USD","\u20AC":"EUR","\xA3":"GBP"};function guessAmount(text){const[
,sign="",before="",digits="",after=""]=/^([$€£])? ?([A-Za-z]{3})? ?(\d[\d.,'_ ]*\d|\d) ?([A-Za-z]{3})?$/.exec(text)??
[];const currency=(SIGNS[sign]??(before||after)).toUpperCase();const plain=removeSeparators(digits);if(plain===null||currency===
"")return null;if(plain===digits)return`did you mean "${plain} ${currency}"?`;return`write "${plain} ${currency}", witho\
ut thousands separators`}function removeSeparators(digits){if(/^\d+(\.\d+)?$/.test(digits))return digits;if(/^\d{1,3}([,'_ ])\d{3}(\1\d{3})*(\.\d+)?$/.
test(digits))return digits.replaceAll(/[,'_ ]/g,"");return/^\d{1,3}(\.\d{3})+,\d+$/.test(digits)?digits.replaceAll(".","").
replace(",","."):null}var PERCENT_ERROR={error:"a percentage of zero or more, such as 10 or 12.5%"};var percentage=external_exports.
union([external_exports.number(PERCENT_ERROR).min(0,PERCENT_ERROR).max(1e6,PERCENT_ERROR),external_exports.string(PERCENT_ERROR).
regex(/^(0|[1-9]\d{0,6})(\.\d{1,6})? ?%$/,PERCENT_ERROR)],PERCENT_ERROR).transform(input=>decimal(typeof input==="number"?
formatPlainNumber(input):input.replace(/ ?%$/,""))).meta({description:"A percentage, with or without the sign.",examples:[
10,"12.5%"]});var count=external_exports.int({error:({input})=>describeExpectedCount(input)}).min(0,{error:"a whole numb\
er of zero or more"}).max(1e9,{error:"a whole number of at most 1000000000"});function describeExpectedCount(input){const expected="\
a whole number of zero or more, such as 0 or 5, without quotes";const plain=typeof input==="string"?removeSeparators(input):
null;return plain===null||!/^\d+$/.test(plain)?expected:`${expected} (write ${plain})`}var duration=external_exports.string(
{error:"a duration, such as 30m, 2h or 1d"}).regex(/^[1-9]\d{0,4}[mhd]$/,{error:"a duration, such as 30m, 2h or 1d",abort:true}).
refine(text=>parseDuration(text)<=SEVEN_DAYS,{error:"at most seven days (7d)"}).transform(parseDuration).meta({description:"\
A number of minutes, hours or days.",examples:["30m","2h","1d"]});var UNITS={m:6e4,h:36e5,d:864e5};var SEVEN_DAYS=7*864e5;
function parseDuration(text){return Number(text.slice(0,-1))*(UNITS[text.slice(-1)]??Number.NaN)}var day=external_exports.string({error:"a day, such as 2027-03-31"}).regex(/^\d{4}-\d{2}-\d{2}$/,{error:"a day, such as \
2027-03-31",abort:true}).refine(text=>external_exports.iso.date().safeParse(text).success,{error:"a day that the calenda\
r has"}).transform(text=>Date.parse(text)+DAY_MS2).meta({description:"A day.",examples:["2027-03-31"]});var DAY_MS2=864e5;var MAPPING_ERROR="a mapping of keys and values";var LIST_ERROR="a list";var createMapping=shape=>external_exports.strictObject(
shape,{error:({code})=>code==="invalid_type"?MAPPING_ERROR:void 0});var createList=item=>external_exports.array(item,{error:LIST_ERROR});
var describeNotHint=text=>text.startsWith("!")?"; leave things out with not, in a scope":"";var pattern=external_exports.
string({error:"a pattern as text"}).refine(text=>describeGlobProblem(text)===null,{error:({input})=>`a pattern; this one\
 ${describeGlobProblem(String(input))}${describeNotHint(String(input))}`}).meta({description:"A pattern: *, **, ? and {a\
,b}.",examples:["prod-*","infra/**"]});var path=pattern.refine(text=>!text.split("/").some(segment=>segment==="."||segment===
".."),{error:"a path from the repository's root, without . or .."});var createText=(expected,most)=>external_exports.string(
{error:expected}).regex(new RegExp(`^[^\\p{Cc}]{1,${most}}$`,"u"),{error:expected,abort:true}).refine(words=>/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.
test(words),{error:expected});var platformId=external_exports.string({error:"an id of the platform as text"}).refine(isPlatformId,
{error:"an id of 1 to 128 letters, digits, _, ., - or $"});var ruleId=external_exports.string({error:"a name as text"}).
regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,{error:"a name of 1 to 64 letters, digits, dots, dashes or underscores"});var login=external_exports.
string({error:"a login as text"}).regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}|[A-Za-z0-9-]{0,99}_[A-Za-z0-9]+)(?:\[bot\])?$/,
{error:"a GitHub login, without @"});var team=external_exports.string({error:"a team's slug as text"}).regex(/^[a-z0-9][a-z0-9_-]{0,99}$/,
{error:"a team's slug in lower case, such as finops, without @ and organisation"});var createWord=expected=>createText(expected,
256);var createNonEmptyList=item=>createList(item).min(1,{error:"at least one entry"}).max(100,{error:"at most 100 entri\
es"});var ENFORCE_ERROR={error:"block or warn"};var enforce=external_exports.enum(["block","warn"],ENFORCE_ERROR);var stagePattern=pattern.
refine(text=>!/^\d+$/.test(text),{error:({input})=>`a pattern that is no mere number, such as "{${input},${input}}"`});var enforceByStage=external_exports.
record(stagePattern,enforce,{error:"block, warn, or one of them for each pattern of stage names"});var limits={increase:amount.describe("Most that the monthly cost may rise."),decrease:amount.describe("Most that the mon\
thly cost may fall."),percent:percentage.describe("Most that the monthly cost may rise, in percent. A rise from zero exc\
eeds every percentage."),total:amount.describe("Most that may be paid per month afterwards. A change that does not raise\
 what is paid is only warned about."),deletions:count.describe("Most resources that may be deleted, replaced ones includ\
ed."),replacements:count.describe("Most resources that may be deleted and created again."),changes:count.describe("Most \
creations, changes, deletions, imports and removals in all."),drift:count.describe("Most resources that may have been ch\
anged outside of the plan, of those that the plan changes too."),unpriced:count.describe("Most new or changed resources \
that the estimator cannot price."),usage:count.describe("Most new or changed resources whose price depends on usage that\
 is not given."),"missed-savings":amount.describe("Most that could be saved on resources that the pull request touches."),
anomalies:count.describe("Most open cost anomalies of the granted perspectives."),"governance-failures":count.describe("\
Most governance evaluations that did not pass."),"unit-cost":createMapping({metric:createText("the identifier of a unit \
metric",128).describe("A granted unit metric."),percent:percentage.describe("Most that the cost of one unit may rise, in\
 percent.")}).describe("Most that the cost of one unit of a metric may rise.")};var LIMIT_KINDS=Object.keys(limits);var limit=external_exports.
strictObject(Object.fromEntries(Object.entries(limits).map(([kind,schema])=>[kind,schema.optional()])),{error:({code})=>code===
"invalid_type"?`a mapping with one of ${LIMIT_KINDS.join(", ")}`:void 0}).refine(value=>Object.keys(value).length===1,{error:`\
exactly one of ${LIMIT_KINDS.join(", ")}; write one rule per limit`}).meta({minProperties:1,maxProperties:1});var LIMIT_WORDS=Object.
fromEntries(Object.entries(limits).map(([kind,schema])=>[kind,schema.description??""]));var provider=external_exports.string({error:"a provider's name as text"}).regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,{error:"\
a provider's name, the first word of its resource types, such as aws"});var names={branches:createNonEmptyList(pattern).
optional().describe("Branches to merge into."),paths:createNonEmptyList(path).optional().describe("Changed files: one th\
at matches is enough."),labels:createNonEmptyList(createWord("a label as text")).optional().describe("Labels of the pull\
 request: one is enough."),authors:createNonEmptyList(login).optional().describe("Logins of authors."),stages:createNonEmptyList(
pattern).optional().describe("Names of stages."),workspaces:createNonEmptyList(pattern).optional().describe("Workspaces."),
modules:createNonEmptyList(pattern).optional().describe("Module paths, the dots written as slashes: web/db."),resource_types:createNonEmptyList(
pattern).optional().describe("Types of resources, such as aws_db_*."),providers:createNonEmptyList(provider).optional().
describe("Providers, such as aws: the first word of resource types.")};var excludedNames=createMapping(names).refine(value=>Object.
keys(value).length>0,{error:`at least one of ${Object.keys(names).join(", ")}`});var scope=createMapping({...names,not:excludedNames.
optional().describe("Excluded pull requests and parts, by the same keys.")});var people={teams:createNonEmptyList(team).
optional().describe("Teams of the repository's owner, by slug."),users:createNonEmptyList(login).optional().describe("Lo\
gins."),permission:external_exports.enum(["write","maintain","admin"],{error:"write, maintain or admin"}).optional().describe(
"People with at least this permission on the repository."),count:external_exports.int({error:"a whole number of at least\
 1"}).min(1,{error:"a whole number of at least 1"}).max(20,{error:"a whole number of at most 20"}).optional().describe("\
How many of them must approve; default: 1.")};var NO_APPROVER_ERROR={error:"teams, users or permission, or a list of suc\
h groups under all"};var GROUP_KEYS=["teams","users","permission"];var hasMembers=members=>GROUP_KEYS.some(key=>members[key]!==
void 0);function countMaxApprovers({users,teams,permission}){if(teams!==void 0||permission!==void 0||users===void 0)return Number.
POSITIVE_INFINITY;return new Set(users.map(login2=>login2.toLowerCase())).size}function checkReachableCount(members,context){
const most=countMaxApprovers(members);if((members.count??1)<=most)return;context.addIssue({code:"custom",path:["count"],
message:`at most ${most}, as so many people are named`})}var group=createMapping(people).refine(hasMembers,{error:"teams\
, users or permission"}).superRefine(checkReachableCount);var approve=createMapping({...people,all:createNonEmptyList(group).
optional().describe("Several groups: each must be complete."),reviews:external_exports.boolean({error:"true or false"}).
optional().describe("Whether an approving review of the head counts as an approval; default: false.")}).refine(members=>members.
all===void 0===hasMembers(members),NO_APPROVER_ERROR).refine(members=>members.all===void 0||members.count===void 0,{error:"\
a count in each group under all, and none beside it"}).superRefine(checkReachableCount);var{count:_,...overriders}=people;
var override=createMapping({...overriders,allow_author:external_exports.boolean({error:"true or false"}).optional().describe(
"Whether the author and other contributors may override it too; default: false."),mandatory:external_exports.boolean({error:"\
true or false"}).optional().describe("In the organisation's file only: no repository can change this. Alone: nobody may \
override.")}).refine(members=>members.mandatory===true||hasMembers(members),{error:"teams, users or permission"});var message=createText("words of 1 to 300 characters",300).refine(words=>[...words.matchAll(/\{\{(.*?)\}\}/g)].every(([,
name])=>name==="count"),{error:"words with no other placeholder than {{count}}"});var RuleEntry=createMapping({id:ruleId.
describe("Names the rule in the comment. Two rules of one file cannot share it."),limit:limit.optional().describe("The h\
ighest allowed value. Reaching it passes."),when:external_exports.string({error:"a condition as text"}).optional().describe(
"A condition in CEL, instead of a limit: the rule is violated where it is true."),message:message.optional().describe("T\
he text of a violation; {{count}} is the number of items found."),scope:scope.optional().describe("The pull requests and\
 parts that the rule applies to; default: everything."),per:external_exports.enum(["pull-request","stage","module","reso\
urce-type"],{error:"pull-request, stage, module or resource-type"}).optional().describe("What the limit applies to, one \
by one; default: pull-request."),enforce:external_exports.union([enforce,enforceByStage],ENFORCE_ERROR).optional().describe(
"What a violation does; default: block. By stage: the first pattern that matches its name counts."),approve:approve.optional().
describe("Who may approve a violation; default: nobody."),on_unknown:enforce.optional().describe("The effect of an unkno\
wn fact; default: the same as enforce."),existing:external_exports.enum(["include"],{error:"include"}).optional().describe(
"For unpriced, usage and drift: existing ones count too; default: only new ones."),mandatory:external_exports.boolean({error:"\
true or false"}).optional().describe("In the organisation's file only: no repository can loosen this rule.")});var WaiverEntry=createMapping(
{rule:ruleId.describe("The waived rule or budget."),scope:scope.optional().describe("The waived part; default: everythin\
g in the scope of the rule."),up_to:external_exports.union([amount,percentage],{error:"an amount, a percentage or a whol\
e number, as the rule has it"}).optional().describe("The highest waived value. Required where the rule limits money or a\
 percentage."),until:day.describe("The last day on which it applies, in UTC."),reason:createText("a reason of 1 to 300 c\
haracters",300).describe("The reason."),owner:createText("who answers for it, 1 to 100 characters",100).describe("Who is\
 responsible for it.")});var BudgetEntry=createMapping({id:ruleId.describe("Names the budget in the comment. Shares its \
names with the rules."),amount:amount.describe("Most that may be paid per month, other open pull requests that may be me\
rged counted in."),scope:scope.optional().describe("The stages and workspaces it covers; default: all that Tollgate know\
s of the repository."),enforce:enforce.optional().describe("The effect of exceeding it; default: block."),approve:approve.
optional().describe("Who may approve that it is exceeded; default: nobody."),mandatory:external_exports.boolean({error:"\
true or false"}).optional().describe("In the organisation's file only.")});function findWaiverFlaws(tree,input){const waivers=readMember(tree.value,"waivers");if(!Array.isArray(waivers))return[];
return waivers.flatMap((waiver,index)=>findWaiverProblems(waiver,input).map(({key,message:message2})=>{const path2=["wai\
vers",index,...key.split(".")];return{...tree.findPosition(path2),path:formatPath(path2),message:message2}}))}function findWaiverProblems(waiver,{
rules,organisation}){const{rule:ruleId2,scope:ofScope,up_to}=WaiverEntry.shape;const id=ruleId2.safeParse(readMember(waiver,
"rule")).data;if(id===void 0)return[];if(organisation?.mandatory.has(id)===true)return[{key:"rule",message:`found "${id}\
", a mandatory rule of the organisation; only its file can except from it`}];const known=[...rules,...organisation?.rules??
[]];const rule=known.find(other=>other.id===id);if(rule===void 0)return[{key:"rule",message:describeUnknownRule(id,known)}];
const scope2=ofScope.safeParse(readMember(waiver,"scope")).data;const upTo=up_to.safeParse(readMember(waiver,"up_to"));const message2=upTo.
success?findAmountProblem(rule,upTo.data,readMember(waiver,"up_to")):null;return[...(scope2===void 0?[]:findWaiverScopeProblems(
rule,scope2)).map(complaint=>({key:complaint.key===null?"scope":`scope.${complaint.key}`,message:complaint.message})),...message2===
null?[]:[{key:"up_to",message:message2}]]}function describeUnknownRule(id,known){const meant=suggestChoice(id,known.flatMap(
rule=>rule.id??[]));return`found "${id}", which is no rule${meant===null?"":` (did you mean ${meant}?)`}`}function findAmountProblem({
kind,currency},upTo,rawValue){if(kind===void 0)return null;const expected=getExpectedAmount(kind);if(expected==="nothing")
return upTo===void 0?null:`is not for ${kind}, which measures nothing; remove it`;if(upTo===void 0)return expected==="a \
whole number"?null:`is missing; ${kind} needs ${expected}`;const meanings=listAmountMeanings(upTo,rawValue);if(!meanings.
includes(expected))return`found ${meanings[0]}, expected ${expected}, as ${kind} has it`;return typeof upTo==="object"&&
currency!==void 0&&upTo.currency!==currency?`found an amount in ${upTo.currency}, expected ${currency}, as the rule has \
it`:null}function listAmountMeanings(upTo,rawValue){if(typeof upTo==="object")return["an amount"];return typeof rawValue===
"number"&&/^\d+$/.test(upTo)?["a whole number","a percentage"]:["a percentage"]}function getExpectedAmount(kind){switch(kind){case"\
increase":case"decrease":case"total":case"missed-savings":case"budget":return"an amount";case"percent":case"unit-cost":return"\
a percentage";case"when":return"nothing";default:return"a whole number"}}function toRule(entry){const{id,limit:limit2,when,per,scope:scope2,on_unknown,approve:approve2,message:message2,mandatory}=entry;
const enforce2=typeof entry.enforce==="string"?entry.enforce:"block";const byStage=typeof entry.enforce==="object"?Object.
entries(entry.enforce):[];return{id,limit:limit2===void 0?toCondition(when??""):toRuleLimit(limit2,entry.existing),per:per??
"pull-request",scope:scope2===void 0?null:toScope(scope2),enforce:enforce2,enforceIn:byStage.map(([stage2,own])=>({stage:stage2,
enforce:own})),onUnknown:on_unknown??enforce2,approve:approve2===void 0?null:toApprove(approve2),message:message2??null,
mandatory:mandatory??false}}function toBudgetRule({id,amount:amount2,scope:scope2,enforce:enforce2="block",approve:approve2,
mandatory}){return{id,limit:{kind:"budget",amount:amount2},per:"pull-request",scope:scope2===void 0?null:toScope(scope2),
enforce:enforce2,enforceIn:[],onUnknown:enforce2,approve:approve2===void 0?null:toApprove(approve2),message:null,mandatory:mandatory??
false}}var toWaiver=({rule,scope:scope2,up_to,until,reason,owner})=>({rule,scope:scope2===void 0?null:toScope(scope2),upTo:up_to??
null,untilMs:until,reason,owner});var toScope=({not,...entry})=>({...toNames(entry),...not===void 0?{}:{not:toNames(not)}});
var toNames=entry=>({branches:entry.branches??[],paths:entry.paths??[],labels:entry.labels??[],authors:entry.authors??[],
stages:entry.stages??[],workspaces:entry.workspaces??[],modules:entry.modules??[],resourceTypes:entry.resource_types??[],
providers:entry.providers??[]});function toApprove({all,reviews,...own}){return{groups:(all??[own]).map(toGroup),reviews:reviews??
false}}var toGroup=({teams,users,permission,count:count2})=>({teams:teams??[],users:(users??[]).map(login2=>login2.toLowerCase()),
permission:permission??null,count:count2??1});function toOverride(entry){if(entry===void 0)return null;const{teams,users,
permission}=toGroup(entry);if(teams.length+users.length===0&&permission===null)return null;return{teams,users,permission,
allowAuthor:entry.allow_author??false}}function toCondition(expression){const compiled=compileCondition(expression);if(!compiled.
ok)throw new TollgateError("internal","a condition that cannot be read passed the checks");return{kind:"when",expression,
needs:compiled.condition.needs}}function toRuleLimit(entry,existing){const limit2=parseLimit(entry);return"count"in limit2&&
existing!==void 0?{...limit2,existing}:limit2}function parseLimit(entry){for(const kind of MONEY){const amount2=entry[kind];
if(amount2!==void 0)return{kind,amount:amount2}}for(const kind of COUNTS){const count2=entry[kind];if(count2!==void 0)return{
kind,count:count2}}const{percent,"unit-cost":unitCost}=entry;if(percent!==void 0)return{kind:"percent",percent};if(unitCost!==
void 0)return{kind:"unit-cost",...unitCost};throw new TollgateError("internal","a rule without a limit passed the schema")}
var MONEY=["increase","decrease","total","missed-savings"];var COUNTS=["deletions","replacements","changes","drift","unp\
riced","usage","anomalies","governance-failures"];function listRuleSources({value}){const entries=list=>{const found2=readMember(value,list);return Array.isArray(found2)?
found2:[]};return[...entries("rules").map(readRuleSource),...entries("budgets").map(readBudgetSource)]}function readRuleSource(rule,index){
const{id,when,per,scope:scope2,enforce:enforce2,on_unknown,existing,mandatory}=RuleEntry.shape;const limit2=readLimit(rule);
const condition=when.safeParse(readMember(rule,"when")).data;return{list:"rules",index,id:id.safeParse(readMember(rule,"\
id")).data,kind:limit2?.kind??(condition===void 0?void 0:"when"),currency:limit2!==void 0&&"amount"in limit2?limit2.amount.
currency:void 0,has:hasKeys(rule),when:condition,per:per.safeParse(readMember(rule,"per")).data,scope:scope2.safeParse(readMember(
rule,"scope")).data,enforce:enforce2.safeParse(readMember(rule,"enforce")).data,on_unknown:on_unknown.safeParse(readMember(
rule,"on_unknown")).data,existing:existing.safeParse(readMember(rule,"existing")).data,mandatory:mandatory.safeParse(readMember(
rule,"mandatory")).data}}function readLimit(rule){const limit2=RuleEntry.shape.limit.safeParse(readMember(rule,"limit")).
data;return limit2===void 0?void 0:parseLimit(limit2)}function hasKeys(rule){if(typeof rule!=="object"||rule===null||Array.
isArray(rule))return{limit:true,when:false};const known=Object.keys(RuleEntry.shape);const meant=Object.keys(rule).map(key=>known.
includes(key)?key:suggestChoice(key,known));return{limit:meant.includes("limit"),when:meant.includes("when")}}function readBudgetSource(budget,index){
const{id,amount:amount2,scope:scope2,enforce:enforce2,mandatory}=BudgetEntry.shape;return{list:"budgets",index,id:id.safeParse(
readMember(budget,"id")).data,kind:"budget",currency:amount2.safeParse(readMember(budget,"amount")).data?.currency,has:{
limit:true,when:false},when:void 0,per:void 0,scope:scope2.safeParse(readMember(budget,"scope")).data,enforce:enforce2.safeParse(
readMember(budget,"enforce")).data,on_unknown:void 0,existing:void 0,mandatory:mandatory.safeParse(readMember(budget,"ma\
ndatory")).data}}var expectation=createMapping({paths:createList(path).min(1,{error:"at least one pattern"}).describe("The expectation ap\
plies to a pull request that changes a matching file."),workspaces:createList(pattern).optional().describe("Workspaces t\
o wait for; default: one execution in any workspace."),within:duration.optional().describe("How long to wait for them; d\
efault: 2h.")});var stage=createMapping({match:createMapping({workspace:pattern.describe("The workspaces of the stage.")}),
name:createText("a name of 1 to 100 characters",100).describe("The name of the stage in the comment.")});var INVISIBLE_CHARACTERS=new RegExp(
"^\\p{White_Space}|\\p{White_Space}$|[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}]","u");var checkName=createMapping(
{branch:pattern.describe("Base branches that get this name."),name:createText("a name of 1 to 100 characters",100).refine(
name=>!INVISIBLE_CHARACTERS.test(name),{error:"a name without blanks at its ends and without invisible characters"}).refine(
name=>!/^tollgate:/i.test(name),{error:'a name that does not start with "tollgate:"'}).describe("The check's name on pul\
l requests into these branches.")});var notifyEntry=createMapping({target:external_exports.string({error:"the name of a \
target as text"}).regex(TARGET_NAME,{error:`the name of one of the operator's targets: ${TARGET_NAME_RULE}`}).describe("\
The name of one of the operator's targets, which alone says where messages go."),on:createNonEmptyList(external_exports.
enum(POLICY_EVENTS,{error:`one of ${POLICY_EVENTS.join(", ")}`})).describe("What the target is notified of about the org\
anisation's repositories."),above:amount.optional().describe("blocked only where the monthly increase is above this amou\
nt or unknown; default: always."),off_by:percentage.optional().describe("estimate-off only where the actual cost differs\
 by more; default: as the operator has it.")});var PolicyFile=createMapping({version:external_exports.literal(1,{error:"\
1"}).describe("The version of this format."),platform:createMapping({org:platformId.optional().describe("Only executions\
 of this platform org."),project:platformId.optional().describe("Only executions of this platform project."),assume_by_workspace:external_exports.
boolean({error:"true or false"}).optional().describe("Take the newest execution of each expected workspace, though nothi\
ng ties it to the commit.")}).optional(),stages:createList(stage).optional().describe("Names for stages; the first match\
 counts."),expect:createList(expectation).optional().describe("Executions that a verdict waits for."),rules:createList(RuleEntry).
optional().describe("The rules."),comment:createMapping({mode:external_exports.enum(["update","new","hide-and-new","dele\
te-and-new"],{error:"update, new, hide-and-new or delete-and-new"}).optional().describe("How the comment is updated: one\
 comment that is edited (default), or a new one each time something changed."),on_no_change:external_exports.enum(["comm\
ent","quiet"],{error:"comment or quiet"}).optional().describe("Whether to comment where nothing changes; default: commen\
t."),min_change:amount.optional().describe("Passing changes of cost below this, up or down, get no comment. Default: eve\
ry change gets one."),min_percent:percentage.optional().describe("The same in percent of the cost before; with both, a c\
hange has to be below both."),sections:createNonEmptyList(external_exports.enum(COMMENT_SECTIONS,{error:`one of ${COMMENT_SECTIONS.
join(", ")}`})).optional().describe("Sections of the comment in their order; default: all of them.")}).optional(),waivers:createList(
WaiverEntry).optional().describe("Reviewed waivers of rules, with a last day."),budgets:createList(BudgetEntry).optional().
describe("The highest monthly cost of scopes."),override:override.optional().describe("Who may override a check that doe\
s not pass; default: nobody."),request_reviewers:external_exports.boolean({error:"true or false"}).optional().describe("\
Whether approvers are requested as reviewers while their approval is needed; default: false."),check_names:createList(checkName).
optional().describe("Names for the check by base branch; the first match counts."),notify:createList(notifyEntry).optional().
describe("In the organisation's file only: which of the operator's targets are told what."),allow_warn_on_unknown:createList(
ruleId).optional().describe("In the organisation's file only: rules that may say on_unknown: warn although they block.")});function findSchemaProblems(tree,schema){const parsed=schema.safeParse(tree.value);if(parsed.success)return[];const flaws=parsed.
error.issues.flatMap(issue=>toFlaws(issue,tree,schema));return flaws.filter(flaw=>!isConsequence(flaw,flaws))}var isConsequence=({
path:path2},flaws)=>/(^|\.)(limit|approve|override)$/.test(path2)&&flaws.some(other=>other.path.startsWith(`${path2}.`));
function toFlaws(issue,tree,schema){if(issue.code==="unrecognized_keys"){return issue.keys.map(key2=>({...tree.findKeyPosition(
issue.path,key2),path:formatPath([...issue.path,key2]),message:describeUnknownKey(issue.path,key2,schema)}))}const inner=listInnerIssues(
issue);if(inner.length>0)return inner.flatMap(own=>toFlaws(own,tree,schema));const{path:path2,message:message2}=issue;const key=issue.
code==="invalid_key"?String(path2.at(-1)):null;const place=key===null?tree.findPosition(path2):tree.findKeyPosition(path2.
slice(0,-1),key);return[{...place,path:formatPath(path2),message:sentence(message2,key??at(tree.value,path2))}]}function listInnerIssues(issue){
if(issue.code!=="invalid_union")return[];const taken=issue.errors.find(way=>way.some(({path:path2})=>path2.length>0))??[];
return taken.map(own=>({...withKeyMessage(own),path:[...issue.path,...own.path]}))}var withKeyMessage=issue=>issue.code===
"invalid_key"?{...issue,message:issue.issues[0]?.message??issue.message}:issue;function sentence(expected,value){if(value===
void 0)return`is missing; expected ${expected}`;const meant=typeof value==="string"?suggestChoice(value,listChoices(expected)):
null;return`found ${found(value)}, expected ${expected}${meant===null?"":` (did you mean ${meant}?)`}`}var listChoices=expected=>/^(one of )?[a-z-]+(, [a-z-]+)*( or [a-z-]+)?$/.
test(expected)?expected.replace(/^one of /,"").split(/, | or /):[];function describeUnknownKey(path2,key,schema){const known=listKeys(
path2,schema);if(/^\d|[()"'=&|<>]/.test(key))return"is not a key here; within { } a comma ends a text: put the whole tex\
t in quotes, and write amounts as 1000 USD";const meant=suggestChoice(key,known);const choices=`expected one of ${known.
join(", ")}`;return`is not a key here; ${meant===null?choices:`did you mean ${meant}?`}`}function listKeys(path2,whole){
let schema=whole;for(const step of path2)schema=typeof step==="number"?getItemSchema(schema):memberAt(schema,String(step));
return Object.keys(getShape(schema))}function getDefinition(schema){const{def}=schema;return def.innerType===void 0?def:
getDefinition(def.innerType)}function getShape(schema){if(schema===void 0)return{};const{shape,options}=getDefinition(schema);
return shape??Object.assign({},...(options??[]).map(getShape))}var memberAt=(schema,key)=>getShape(schema)[key]??(schema===
void 0?void 0:getDefinition(schema).valueType);var getItemSchema=schema=>getDefinition(schema).element;var at=(value,path2)=>path2.
reduce(readMember,value);var LONGEST=60;function found(value){if(value===null)return"nothing";if(Array.isArray(value))return value.
length===0?"an empty list":"a list";if(typeof value==="object")return describeMapping(Object.keys(value));const text=JSON.
stringify(value)??"nothing";return text.length>LONGEST?`${text.slice(0,LONGEST)}\u2026`:text}function describeMapping(keys){
if(keys.length===0)return"an empty mapping";const named=keys.slice(0,3).map(key=>JSON.stringify(key.slice(0,LONGEST)));return`\
a mapping with ${named.join(", ")}${keys.length>named.length?" and more":""}`}var MAX_BYTES=65536;function findTextProblem(text){if(text.length>MAX_BYTES||new TextEncoder().encode(text).length>MAX_BYTES){
return`the file is larger than ${MAX_BYTES/1024} KB; make it shorter`}if(/^[\ufeff\ufffe]/.test(text))return"the file st\
arts with a byte-order mark; save it as UTF-8 without one";if(text.includes("\0"))return"the file holds NUL characters, \
as UTF-16 text does; save it as UTF-8";if(text.includes("\uFFFD"))return"the file is not UTF-8 text; save it as UTF-8";return text.
trim()===""?"the file is empty; it needs at least version: 1":null}var import_yaml2=__toESM(require_dist(),1);function findOffset({range,type,value},spot){const start=range?.[0];const end=range?.[1];if(start===void 0||end===void 0||
typeof value!=="string")return null;switch(type){case"PLAIN":case"QUOTE_SINGLE":case"QUOTE_DOUBLE":{const quote=type==="\
PLAIN"?0:1;const isVerbatim=spot.text.slice(start+quote,end-quote)===value;return isVerbatim?start+quote+spot.character:
null}case"BLOCK_LITERAL":return findBlockOffset(value,{...spot,start});default:return null}}function findBlockOffset(value,{
text,character,start}){const before=value.slice(0,character).split("\n");let lineStart=text.indexOf("\n",start)+1;const indent=countLeadingBlanks(
text.slice(lineStart))-countLeadingBlanks(value);for(let line=1;line<before.length&&lineStart>0;line+=1)lineStart=text.indexOf(
"\n",lineStart)+1;return lineStart===0?null:lineStart+indent+(before.at(-1)?.length??0)}var countLeadingBlanks=lines=>/^(?: *\r?\n)*( *)/.
exec(lines)?.[1]?.length??0;var import_yaml=__toESM(require_dist(),1);var MAX_DEPTH=20;var OWN_LEVELS=2;var MAX_PIECES=2e4;var MAX_FLAWS=20;function composeYaml(text){
const lines=new import_yaml.LineCounter;const place=offset=>{const{line,col}=lines.linePos(offset);return{line:Math.max(
1,line),column:Math.max(1,col)}};const{tokens,flaws,isWhole}=readTokens(text,lines,place);if(!isWhole)return{document:null,
flaws,getPosition:place};const[document]=new import_yaml.Composer(OPTIONS).compose(tokens,true,text.length);const errors=(document?.
errors??[]).slice(0,MAX_FLAWS);const invalid=errors.map(({pos,message:message2})=>{const hint=describeConditionHint(text,
pos[0]);return{hint,...createFlaw(place(pos[0]),`not valid YAML: ${message2}${hint}`)}}).filter(({hint,line},at2,all)=>hint===
""||all.findIndex(one=>one.line===line)===at2).map(({hint:_2,...flaw})=>flaw);return{document:invalid.length>0?null:document??
null,flaws:[...flaws,...invalid],getPosition:place}}var OPTIONS={schema:"core",version:"1.2",merge:false,uniqueKeys:false,
logLevel:"silent"};var createFlaw=(at2,message2)=>({...at2,path:"",message:message2});function describeConditionHint(text,offset){
const line=text.slice(text.lastIndexOf("\n",offset-1)+1).split("\n",1)[0]??"";return/\bwhen:/.test(line)?"; put the whol\
e condition in quotes":""}function readTokens(text,lines,place){lines.addNewLine(0);const parser=new import_yaml.Parser(
lines.addNewLine);const tokens=[];const flaws=[];let pieces2=0;for(const piece of new import_yaml.Lexer().lex(text)){pieces2+=
1;const refused=REFUSED_TOKENS[import_yaml.CST.tokenType(piece)??""];if(refused!==void 0)flaws.push(createFlaw(place(parser.
offset),`${refused}${describeConditionHint(text,parser.offset)}`));tokens.push(...parser.next(piece));const stop=findStopReason(
{pieces:pieces2,depth:parser.stack.length,flaws:flaws.length});if(stop!==null)return{tokens,flaws:[...flaws,createFlaw(place(
parser.offset),stop)],isWhole:false}}tokens.push(...parser.end());const[,second]=tokens.filter(token=>token.type==="docu\
ment");if(second===void 0)return{tokens,flaws,isWhole:true};const extra=createFlaw(place(second.offset),"a second docume\
nt starts here; the file holds one");return{tokens,flaws:[...flaws,extra],isWhole:false}}var REFUSED_TOKENS={alias:"alia\
ses (*name) are not available; write the value out",anchor:"anchors (&name) are not available; write the value out",tag:"\
tags (!name) are not available; write the plain value","directive-line":"directives (%\u2026) are not available; remove the l\
ine"};function findStopReason({pieces:pieces2,depth,flaws}){if(depth>MAX_DEPTH+OWN_LEVELS)return`nested more than ${MAX_DEPTH}\
 levels deep`;if(pieces2>MAX_PIECES)return"the file has too many parts; make it shorter";return flaws>=MAX_FLAWS?"readin\
g stopped after so many problems":null}function readYaml(text){const{document,flaws,getPosition}=composeYaml(text);const problems=[...flaws];const addFlaw=(offset,path2,message2)=>{
problems.push({...getPosition(offset),path:formatPath(path2),message:message2})};const value=document===null?void 0:readNode(
document.contents,[],addFlaw);const nodeAt=path2=>document?.getIn(path2,true);const findPosition=path2=>{const node=nodeAt(
path2);return(0,import_yaml2.isNode)(node)||path2.length===0?getPosition(getStart(node)):findPosition(path2.slice(0,-1))};
return{value,flaws:problems,findPosition,findTextPosition:(path2,character)=>{const node=nodeAt(path2);const offset=(0,import_yaml2.isScalar)(
node)?findOffset(node,{text,character}):null;return offset===null?findPosition(path2):getPosition(offset)},endsAtComma:path2=>{
const node=nodeAt(path2);return(0,import_yaml2.isScalar)(node)&&node.type==="PLAIN"&&text.slice(node.range?.[1]).trimStart().
startsWith(",")},findKeyPosition:(path2,key)=>{const mapping=nodeAt(path2);const pair=(0,import_yaml2.isMap)(mapping)?mapping.
items.find(item=>getKeyText(item.key)===key):void 0;return pair===void 0?findPosition(path2):getPosition(getStart(pair.key))}}}
function readNode(node,path2,addFlaw){if((0,import_yaml2.isMap)(node))return readMap(node,path2,addFlaw);if((0,import_yaml2.isSeq)(
node))return node.items.map((item,index)=>readNode(item,[...path2,index],addFlaw));return(0,import_yaml2.isScalar)(node)?
toPlainValue(node.value,node.source):null}function readMap({items},path2,addFlaw){const entries=new Map;for(const pair of items){
const name=getKeyText(pair.key);const own=[...path2,name??"?"];const message2=findKeyFlaw(name,entries);if(message2!==null)
addFlaw(getStart(pair.key),own,message2);else if(name!==null)entries.set(name,readNode(pair.value,own,addFlaw));pair.value??=
pair.key;if((0,import_yaml2.isScalar)(pair.key))pair.key.value=name}return Object.fromEntries(entries)}var getKeyText=key=>(0,import_yaml2.isScalar)(
key)?String(key.source??""):null;function findKeyFlaw(name,entries){if(name===null)return"a key must be a plain word";if(entries.
has(name))return`\`${name}\` is there twice; remove one of them`;return name==="<<"?"merge keys (<<) are not available; \
write the values out":null}var PLAIN_NUMBER=/^-?(0|[1-9]\d*)(\.\d+)?$/;function toPlainValue(value,source){if(typeof value!==
"number")return value;const isExact=source!==void 0&&PLAIN_NUMBER.test(source)&&!Object.is(value,-0);return isExact&&Number.
isFinite(value)&&source.length<=EXACT_DIGITS?value:source}var EXACT_DIGITS=15;var getStart=node=>(0,import_yaml2.isNode)(
node)?node.range?.[0]??0:0;function readPolicyFile(text,organisation){const unreadable=findTextProblem(text);if(unreadable!==null)return createBrokenContents(
[{line:1,column:1,path:"",message:unreadable}]);const tree=readYaml(text);if(tree.value===void 0)return createBrokenContents(
tree.flaws);const rules=listRuleSources(tree);const says=readConstraints(tree,rules);const{warnableRules:mayWarn}=organisation??
says;const flaws=[...tree.flaws,...findSchemaProblems(tree,PolicyFile),...findRuleFlaws(tree,{rules,warnableRules:mayWarn,
organisation}),...findWaiverFlaws(tree,{rules,organisation}),...organisation===null?[]:findRepositoryFlaws(tree,organisation)];
const parsed=PolicyFile.safeParse(tree.value);const content=flaws.length===0&&parsed.success?parsed.data:null;return{flaws,
content,lines:indexLines(tree,rules),constraints:says}}var NO_CONSTRAINTS={mandatory:new Set,warnableRules:new Set,platform:{
org:null,project:null},rules:[],isOverrideMandatory:false};var createBrokenContents=flaws=>({flaws,content:null,lines:new Map,
constraints:NO_CONSTRAINTS});var NO_FILE=createBrokenContents([]);var indexLines=(tree,rules)=>new Map(rules.flatMap(({id,
list,index})=>id===void 0?[]:[[id,tree.findPosition([list,index]).line]]));function readConstraints(tree,rules){const{allow_warn_on_unknown,
platform}=PolicyFile.shape;const narrowed=platform.safeParse(readMember(tree.value,"platform")).data;return{mandatory:new Set(
rules.flatMap(({id,mandatory})=>mandatory===true&&id!==void 0?[id]:[])),warnableRules:new Set(allow_warn_on_unknown.safeParse(
readMember(tree.value,ALLOW_WARN_KEY)).data??[]),platform:{org:narrowed?.org??null,project:narrowed?.project??null},rules,
isOverrideMandatory:readMember(readMember(tree.value,"override"),"mandatory")===true}}var ALLOW_WARN_KEY="allow_warn_on_\
unknown";var ORGANISATION_KEYS=[ALLOW_WARN_KEY,"notify"];function findRepositoryFlaws(tree,organisation){const misplaced=ORGANISATION_KEYS.
filter(key=>readMember(tree.value,key)!==void 0);return[...misplaced.map(key=>createMisplacedFlaw(tree,key)),...findOverrideFlaws(
tree,organisation),...["org","project"].flatMap(key=>findWidenedPlatform(tree,organisation,key))]}var createMisplacedFlaw=(tree,key)=>({
...tree.findKeyPosition([],key),path:key,message:"is for the organisation's file only; remove it"});function findWidenedPlatform(tree,{
platform},key){const path2=["platform",key];const own=readMember(readMember(tree.value,"platform"),key);const above=platform[key];
if(typeof own!=="string"||above===null||own===above)return[];const message2=`found ${JSON.stringify(own)}, but the organ\
isation's file narrows it to ${JSON.stringify(above)}`;return[{...tree.findPosition(path2),path:formatPath(path2),message:message2}]}function parsePolicy({repository,organisation}){const above=organisation===null?NO_FILE:readPolicyFile(organisation.text,
null);const below=repository===null?NO_FILE:readPolicyFile(repository.text,above.constraints);const problems=[...toProblems(
organisation,above),...toProblems(repository,below)];if(problems.length>0)return{state:"invalid",problems};const policy=combineFiles(
above.content??EMPTY_FILE,below.content??EMPTY_FILE);const places=[...toRulePlaces(organisation,above),...toRulePlaces(repository,
below)];return{state:"ok",policy,rulePlaces:[...new Map(places.map(place=>[place.rule,place])).values()]}}var EMPTY_FILE={
version:1};function toProblems(text,{flaws}){return flaws.toSorted(byPlace).map(flaw=>({file:text?.file??"",...flaw}))}var toRulePlaces=(text,{
lines})=>text===null?[]:[...lines].map(([rule,line])=>({rule,file:text.file,line}));function combineFiles(above,below){return{
rules:combineRules(above,below),expect:combineExpectations(above,below),stages:[...below.stages??[],...above.stages??[]].
map(({match,name})=>({...match,name})),organisationStages:(above.stages??[]).map(({match,name})=>({...match,name})),checkNames:[
...above.check_names??[],...below.check_names??[]],platform:toPlatform({...below.platform,...above.platform}),assumeByWorkspace:isWorkspaceAssumed(
above)!==false&&(isWorkspaceAssumed(below)??isWorkspaceAssumed(above)??false),comment:toCommentPolicy({...above.comment,
...below.comment}),waivers:[...selectWaivers(combineRules(above,below),above),...(below.waivers??[]).map(toWaiver)],override:toOverride(
below.override??above.override),requestReviewers:below.request_reviewers??above.request_reviewers??false,...toNotify(above)}}
var toNotify=({notify})=>notify===void 0?{}:{notify:notify.map(toNotifyChoice)};var toNotifyChoice=({target,on,above,off_by})=>({
target,on,above:above??null,offBy:off_by??null});var toPlatform=({org,project})=>({org:org??null,project:project??null});
var toCommentPolicy=comment=>({mode:comment.mode??"update",onNoChange:comment.on_no_change??"comment",smallChange:comment.
min_change===void 0&&comment.min_percent===void 0?null:{amount:comment.min_change??null,percent:comment.min_percent??null},
sections:comment.sections??null});var isWorkspaceAssumed=({platform})=>platform?.assume_by_workspace;function combineRules(above,below){
const own=toRules(below);const replaced=new Set(own.map(({id})=>id));const inherited=toRules(above).filter(({id})=>!replaced.
has(id));return[...inherited,...own]}var toRules=({rules=[],budgets=[]})=>[...rules.map(toRule),...budgets.map(toBudgetRule)];
function selectWaivers(inForce,above){const kinds=new Map(inForce.map(({id,limit:limit2})=>[id,limit2.kind]));const own=new Map(
toRules(above).map(({id,limit:limit2})=>[id,limit2.kind]));return(above.waivers??[]).map(toWaiver).filter(({rule})=>kinds.
get(rule)===own.get(rule))}function combineExpectations(above,below){const isBound=above.expect===void 0&&toRules(above).
some(({mandatory})=>mandatory);const isSilent=above.expect===void 0&&below.expect===void 0;const expectations=[...above.
expect??[],...below.expect??[]].map(({paths,workspaces,within})=>({paths,workspaces:workspaces??[],withinMs:within??DEFAULT_EXPECTATION.
withinMs}));return isBound||isSilent?[...expectations,DEFAULT_EXPECTATION]:expectations}var PERFORMERS={parse:texts=>parsePolicy(texts),evaluate:evaluateInput,expect:({all,files})=>selectApplicable(files,all),
compare:({report,context,base,edited},conditions)=>{const kindUnder=policy=>evaluateInput({report,context,policy,rename:true},
conditions).kind;const[from,to]=[kindUnder(base),kindUnder(edited)];const{spent,isFileSpent}=conditions.meter;return{from,
to,steps:spent,isCutOff:isFileSpent}},group:({policy,entries,nowMs},conditions)=>evaluateSum(policy,entries,{nowMs,conditions}),
case:({case:testCase,policy},conditions)=>evaluateCase(testCase,policy,conditions)};function evaluateInput({report,policy,
context,rename},conditions){const effectiveReport=rename===true?renameStages(report,policy.stages):report;return evaluateWithin(
effectiveReport,policy,{context,conditions})}var position=workerData;var pieces=[];var sendMessage=message2=>parentPort?.postMessage(message2);parentPort?.on("messag\
e",message2=>{if(message2.kind==="piece")pieces.push(message2.piece);else sendMessage(performAttempt(message2.attempt))});
sendMessage({kind:"ready"});function performAttempt({kind,input,limits:limits2,stop,skipped}){const conditions=new ConditionRun(
{...limits2!==void 0&&{limits:limits2},stop,skipped,onPosition:now=>Atomics.store(position,0,now)});try{const whole=joinLists(
{rest:input,pieces:pieces.splice(0)});const performer=PERFORMERS[kind];return{kind:"done",result:performer(whole,conditions),
stoppedAt:conditions.stoppedAt}}catch(error){return{kind:"failed",problem:error instanceof Error?error.stack??error.message:
String(error)}}}
