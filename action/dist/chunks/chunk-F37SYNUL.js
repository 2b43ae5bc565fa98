import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{suggestChoice}from"./chunk-SXFCSH55.js";import{ZERO,absolute,compare,compileGlob,computePercentChange,decimal,
external_exports,minus,negate,parseDecimal,plus,sum,sumKnown,times}from"./chunk-AX2I6GI4.js";var COST_LIMITS={rule:1e7,file:3e7};var MAX_TEXT=1e6;var MAX_LIST=1e6;var CostExceededError=class extends Error{name="Co\
stExceeded";code="condition_too_expensive"};var CostMeter=class{#limits;#before=0;#granted=0;#left=0;#exceeded=null;#isFileSpent=false;constructor(limits=COST_LIMITS){
this.#limits=limits}get spent(){return this.#before+this.#granted-Math.max(0,this.#left)}get exceeded(){return this.#exceeded}get isFileSpent(){
return this.#isFileSpent}startRule(){this.#before=this.spent;this.#granted=Math.min(this.#limits.rule,this.#limits.file-
this.#before);this.#left=this.#granted;this.#exceeded=null}charge(steps){this.#left-=steps;if(this.#left<0)throw this.#stop()}refuse(problem){
this.#granted-=this.#left;this.#left=Number.NEGATIVE_INFINITY;this.#exceeded=new CostExceededError(problem);throw this.#exceeded}#stop(){
if(this.#exceeded!==null)return this.#exceeded;this.#isFileSpent=this.#granted<this.#limits.rule;const problem=this.#isFileSpent?
describeFileExcess(this.#limits.file):describeRuleExcess(this.#limits.rule);this.#exceeded=new CostExceededError(problem);
return this.#exceeded}};var describeRuleExcess=limit=>`it takes more than ${formatSteps(limit)} steps, the most that one\
 condition may take; put a filter before its inner loop, look at shorter lists, or make several rules of it`;var describeFileExcess=limit=>`\
the conditions of the policy together take more than ${formatSteps(limit)} steps, the most that they may take; make thos\
e with loops cheaper or fewer`;var formatSteps=count2=>count2.toLocaleString("en");var decimal2=external_exports.string().max(64).regex(/^(?:0|-?(?:0\.\d*[1-9]|[1-9]\d*(?:\.\d*[1-9])?))$/);var money=external_exports.
object({amount:decimal2,currency:external_exports.string()});var sha=external_exports.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
var count=external_exports.int().min(0);var texts=external_exports.array(external_exports.string());var AttributeValue=external_exports.union([external_exports.object({kind:external_exports.literal("text"),text:external_exports.
string()}),external_exports.object({kind:external_exports.enum(["list","map","document"]),count}),external_exports.object(
{kind:external_exports.enum(["none","later","sensitive"])})]);var AttributeChange=external_exports.object({name:external_exports.
string(),before:AttributeValue,after:AttributeValue});var UnknownReason=external_exports.enum(["not_estimated","partly_estimated","not_indexed","not_read","not_listed","not_g\
ranted","not_stated","not_compared","no_plan","execution_failed","execution_pending","unproven","push_disabled","past_re\
tention","unauthorised","forbidden","rate_limited","unavailable","malformed","contradictory","too_large","timed_out","lo\
cal_preview","no_history"]);var Fact=value=>external_exports.discriminatedUnion("state",[external_exports.object({state:external_exports.
literal("known"),value}),external_exports.object({state:external_exports.literal("absent")}),external_exports.object({state:external_exports.
literal("unknown"),reason:UnknownReason}),external_exports.object({state:external_exports.literal("stale"),value,ageMs:external_exports.
number()})]);var CostDelta=external_exports.object({before:decimal2.nullable(),after:decimal2.nullable(),change:decimal2.
nullable(),percent:decimal2.nullable()});var ComponentCost=CostDelta.extend({name:external_exports.string(),quantity:external_exports.
object({unit:external_exports.string(),before:decimal2.nullable(),after:decimal2.nullable()}).exactOptional()});var ResourceCost=CostDelta.
extend({address:external_exports.string(),components:external_exports.array(ComponentCost)});var ResourceGroup=CostDelta.
extend({type:external_exports.string(),resources:external_exports.array(ResourceCost)});var UnpricedResources=external_exports.
object({count,types:external_exports.record(external_exports.string(),count)});var UsageResource=external_exports.object(
{address:external_exports.string(),type:external_exports.string(),change:external_exports.enum(["added","changed","delet\
ed","given","unchanged","unstated"])});var UsageBasedResources=external_exports.object({resources:external_exports.array(
UsageResource),unnamed:count,unnamedUnchanged:count});var StageCost=CostDelta.extend({currency:external_exports.string(),
completeness:external_exports.enum(["complete","partial","unstated"]),problems:texts,notices:texts.exactOptional(),comparison:external_exports.
enum(["past","nothing"]).exactOptional(),groups:external_exports.array(ResourceGroup),unpriced:UnpricedResources.nullable(),
usage:UsageBasedResources.exactOptional(),partsAreWhole:external_exports.boolean()});var ModuleCost=CostDelta.extend({module:external_exports.
string(),currency:external_exports.string()});var ChangeCounts=external_exports.object({added:count,changed:count,deleted:count,
replaced:count.nullable(),imported:count,removed:count,unchanged:count,drifted:count});var ChangeKind=external_exports.enum(
["deleted","added","changed","imported","removed","replaced","drifted","moved"]);var RowAttributes=external_exports.object(
{changedAttributes:texts.exactOptional(),attributeChanges:external_exports.array(AttributeChange).exactOptional(),attributesBecause:UnknownReason.
exactOptional()});var ResourceChange=external_exports.object({address:external_exports.string(),type:external_exports.string(),
module:external_exports.string(),change:ChangeKind,previousAddress:external_exports.string().exactOptional(),ordinal:count.
exactOptional(),...RowAttributes.shape});var ResourceChanges=external_exports.object({rows:external_exports.array(ResourceChange),
omitted:count,unread:count});var StageParts=external_exports.object({cost:Fact(StageCost),modules:Fact(external_exports.
array(ModuleCost)),counts:Fact(ChangeCounts),rows:Fact(ResourceChanges)});var RefusedExecution=external_exports.object({
org:external_exports.string(),project:external_exports.string(),executionId:external_exports.string(),reason:external_exports.
enum(["not_granted","other_account"])});var Lifetime=external_exports.object({ms:external_exports.number().nullable(),onDate:external_exports.string().nullable()});
var Schedule=external_exports.object({org:external_exports.string(),project:external_exports.string(),provisioner:external_exports.
string(),driftEveryMs:external_exports.number().nullable(),lifetime:Lifetime.nullable()});var Saving=external_exports.object(
{recommendationId:external_exports.string(),address:external_exports.string(),workspace:external_exports.string(),resourceType:external_exports.
string(),change:ChangeKind,monthly:money});var Savings=external_exports.object({totals:external_exports.array(money),items:external_exports.
array(Saving),unmatched:count});var OpenAnomalies=external_exports.object({count,impact:money.nullable(),items:external_exports.
array(external_exports.object({id:external_exports.string(),resource:external_exports.string(),perspective:external_exports.
string().nullable(),spend:money.nullable()}))});var GovernanceCounts=external_exports.object({day:external_exports.string(),
failed:count,total:count,statuses:external_exports.record(external_exports.string(),count)});var GovernancePrompt=external_exports.
object({description:external_exports.string(),resource:external_exports.string(),types:texts});var UnitCost=external_exports.
object({metric:external_exports.string(),name:external_exports.string(),perspective:external_exports.string().nullable(),
before:decimal2.nullable(),after:decimal2.nullable(),asOf:external_exports.string().nullable(),currency:external_exports.
string()});var ContextFacts=external_exports.object({schedules:Fact(external_exports.array(Schedule)),savings:Fact(Savings),
anomalies:Fact(OpenAnomalies),governance:Fact(GovernanceCounts),unitCosts:Fact(external_exports.array(UnitCost)),prompts:Fact(
external_exports.array(GovernancePrompt))});var ContextName=ContextFacts.keyof();var listMissedSavings=({items})=>items.
filter(({change})=>change!=="deleted");var NOT_READ={state:"unknown",reason:"not_read"};var NO_CONTEXT={schedules:NOT_READ,
savings:NOT_READ,anomalies:NOT_READ,governance:NOT_READ,unitCosts:NOT_READ,prompts:NOT_READ};function sortLargestFirst(lines,nameOf){const weighed=lines.map(line=>({line,name:nameOf(line),...weighChange(line.change)}));
return weighed.sort(byWeight).map(({line})=>line)}var weighChange=change=>change===null?{rough:-1,exact:null}:{rough:Math.
abs(Number(change)),exact:absolute(change)};function byWeight(a,b){if(a.rough!==b.rough)return b.rough-a.rough;if(a.exact!==
b.exact&&a.exact!==null&&b.exact!==null)return compare(b.exact,a.exact);return byText(a.name,b.name)}var byText=(a,b)=>a<
b?-1:Number(a>b);var STEP=/([^.["\]]+)(?:\["(?:[^"\\]|\\.)*"\]|\[[^\]"]*\])?(?:\.|$)/sy;function deriveModulePath(address){if(!address.startsWith(
"module."))return"root";const steps=splitAddress(address);const modules=[];for(let index=0;steps[index]==="module";index+=
2)modules.push(steps[index+1]??"");return modules.join(".")}var normalizeModuleName=stated=>stated===""?"root":findModulePath(
stated)??stated;var findModulePath=address=>address.startsWith("module.")?deriveModulePath(address):null;function parseResourceType(address){
const steps=splitAddress(address);const inside=steps.findIndex((step,index)=>index%2===0&&step!=="module");const own=inside<
0?[]:steps.slice(inside);return(own.length===3&&own[0]==="data"?own[1]:own.length===2?own[0]:void 0)??""}function splitAddress(address){
const steps=[];STEP.lastIndex=0;for(let step=STEP.exec(address);step!==null;step=STEP.exec(address))steps.push(step[1]??
"");return steps}var buildStageKey=({org,project,workspace})=>`${[org,project].map(name=>name.replace(/[%/]/g,encodeURIComponent)).join("\
/")}/${workspace}`;function createStageLabels(stages){const forms=FORMS.map(form=>({form,uses:countBy(stages.map(form))}));
return stage=>forms.find(({form,uses})=>uses.get(form(stage))===1)?.form(stage)??buildStageKey(stage)}var FORMS=[({name})=>name,
({workspace})=>workspace,({project,workspace})=>`${project}/${workspace}`];function countBy(texts2){const counts=new Map;
for(const text of texts2)counts.set(text,(counts.get(text)??0)+1);return counts}var INTRODUCING_CHANGES=new Set(["added","changed","unstated"]);var isIntroduced=({change})=>INTRODUCING_CHANGES.has(change);
var isOpenAfter=({change})=>change!=="deleted"&&change!=="given";var hasUsageChange=usage2=>usage2!==void 0&&usage2.introduced+
usage2.deleted>0;var buildUsageReports=stages=>stages.flatMap(stage=>(stage.usageBased?.resources??[]).map(resource=>({...resource,
module:deriveModulePath(resource.address),workspace:stage.workspace,stage:buildStageKey(stage),currency:stage.currency})));
function countStageUsage({resources,unnamed,unnamedUnchanged}){const named=countUsage(resources);return omitZeroCounts({
before:named.before+unnamedUnchanged,after:named.after+unnamed+unnamedUnchanged,introduced:named.introduced+unnamed,deleted:named.
deleted})}function countUsage(resources){const count2=is=>resources.reduce((sum2,{change})=>sum2+Number(is(change)),0);return{
before:count2(change=>change!=="added"&&change!=="unstated"),after:resources.filter(isOpenAfter).length,introduced:resources.
filter(isIntroduced).length,deleted:resources.filter(one=>!isOpenAfter(one)).length}}function sumUsage(parts){let sum2=ZERO_COUNTS;
for(const{usage:usage2}of parts){if(usage2===void 0)continue;sum2={before:sum2.before+usage2.before,after:sum2.after+usage2.
after,introduced:sum2.introduced+usage2.introduced,deleted:sum2.deleted+usage2.deleted}}return omitZeroCounts(sum2)}var ZERO_COUNTS={
before:0,after:0,introduced:0,deleted:0};var omitZeroCounts=counts=>counts.before+counts.after===0?void 0:counts;function groupUsageByPart(resources=[],getPart){
const toKey=(name,currency)=>JSON.stringify([currency,name]);const parts=Map.groupBy(resources,one=>toKey(getPart(one),one.
currency));return(name,{currency})=>{const own=parts.get(toKey(name,currency));return own===void 0?void 0:countUsage(own)}}var KNOWN_CONFIDENCE={state:"known",because:[]};var SEVERITY={known:0,partial:1,inconsistent:2,unknown:3};function combineConfidence(parts){
let state="known";const because=new Set;for(const part of parts){if(part.state==="known")continue;if(SEVERITY[part.state]>
SEVERITY[state])state=part.state;for(const reason of part.because)because.add(reason)}return state==="known"?KNOWN_CONFIDENCE:
{state,because:[...because]}}var ROUNDING=decimal("0.01");function sumDeltas(parts){const before=sumKnown(parts.map(part=>part.before));const after=sumKnown(
parts.map(part=>part.after));const change=sumKnown(parts.map(part=>part.change));return{before,after,change,percent:computePercent(
before,after)}}function subtractParts(whole,parts){const before=subtractKnown(whole.before,parts.before);const after=subtractKnown(
whole.after,parts.after);return{before,after,change:subtractKnown(whole.change,parts.change),percent:computePercent(before,
after)}}function withPercent(amounts){const{before,after,percent:percent2}=amounts;const isStated=percent2!==null&&before!==
ZERO;return isStated?amounts:{...amounts,percent:computePercent(before,after)}}function isDeltaContradictory({before,after,
change}){return isDifferent(subtractKnown(after,before),change)}function isContradictedByParts(whole,parts){return["befo\
re","after","change"].some(which=>{const stated=parts.map(part=>part[which]).filter(amount=>amount!==null);return isDifferent(
whole[which],sum(stated))})}var isStatedInFull=({before,after,change})=>before!==null&&after!==null&&change!==null;var isRounding=amount=>amount!==
null&&compare(absolute(amount),ROUNDING)<=0;var isDifferent=(a,b)=>a!==null&&b!==null&&!isRounding(minus(a,b));var subtractKnown=(a,b)=>a===
null||b===null?null:minus(a,b);var computePercent=(before,after)=>before===null||after===null?null:computePercentChange(
before,after);function sumTotals(stages,refused){const unknown2=stages.filter(({currency})=>currency===null);const currencies=new Set(
stages.flatMap(({currency})=>currency??[]));const totals=[...currencies].map(currency=>{const parts=[...stages.filter(stage=>stage.
currency===currency),...unknown2];return{...sumAmounts(parts),currency,usage:sumUsage(parts),...combineConfidence([...parts,
...listUnseenDoubts(refused)])}});return sortLargestFirst(totals,({currency})=>currency)}function sumAmounts(parts){const[
first,...others]=parts;if(first===void 0||others.length>0)return sumDeltas(parts);const{before,after,change,percent:percent2}=first;
return{before,after,change,percent:percent2}}function listUnseenDoubts(refused){return refused.some(({reason})=>reason===
"not_granted")?[{state:"partial",because:["not_granted"]}]:[]}function createLazyObject(makers){const made={};for(const key of Object.keys(makers)){Object.defineProperty(made,key,{configurable:true,
enumerable:true,get:()=>{const value=makers[key]();Object.defineProperty(made,key,{enumerable:true,value});return value}})}
return made}var UNATTRIBUTED="unattributed";function rollUpParts(partLists,totals){const parts=partLists.flat();const groups=Map.groupBy(
parts,({currency,name})=>JSON.stringify([currency,name]));const lines=[...groups.values()].flatMap(group=>{const[first]=group;
return first===void 0?[]:[sumPartLine(first,group)]});const rests=partLists.length===0?[]:totals.flatMap(total2=>buildRestLine(
total2,lines));return[...sortLargestFirst(lines,({name})=>name),...rests]}function sumPartLine({name,currency},group){const confidence=combineConfidence(
group.flatMap(part=>[part.stage,assessPart(part)]));return{name,currency,unattributed:false,...sumDeltas(group),...confidence}}
function assessPart(part){if(!isStatedInFull(part))return{state:"partial",because:["not_stated"]};return isDeltaContradictory(
part)?{state:"inconsistent",because:[]}:KNOWN_CONFIDENCE}function buildRestLine(total2,lines){const parts=lines.filter(({
currency:currency2})=>currency2===total2.currency);const rest=subtractParts(total2,sumDeltas(parts));if([rest.before,rest.
after,rest.change].every(amount=>amount===ZERO))return[];const{currency,state,because}=total2;return[{name:UNATTRIBUTED,
currency,unattributed:true,...rest,state,because}]}function buildModuleReports(stages,{totals,usageBased}){const partLists=stages.flatMap(stage=>{const{modules,modulesBecause:because}=stage;
if(modules===null)return[];const doubted=because===null?[]:[{state:"unknown",because:[because]}];const confidence=combineConfidence(
[stage,...doubted]);return[modules.map(({module,...cost})=>({...cost,name:module,stage:confidence}))]});const getUsage=groupUsageByPart(
usageBased,({module})=>module);return rollUpParts(partLists,totals).map(({name,...line})=>({...line,module:name,usage:getUsage(
name,line)}))}var listModulesReasons=stages=>[...new Set(stages.flatMap(stage=>stage.modulesBecause??[]))];function buildResourceTypeReports(stages,{
totals,usageBased}){const partLists=stages.flatMap(stage=>{const{types,currency}=stage;if(types===null||currency===null)
return[];return[types.map(({type,...amounts})=>({...amounts,name:type,currency,stage}))]});const getUsage=groupUsageByPart(
usageBased,({type})=>type);return rollUpParts(partLists,totals).map(({name,...line})=>({...line,type:name,usage:getUsage(
name,line)}))}function buildStageUsage({cost,rows,isPlanKnown}){if(cost===null)return{resources:[],unnamed:0,unnamedUnchanged:0,isStated:false};
const plan=readPlannedChanges(rows,isPlanKnown);const{resources,unnamed,unnamedUnchanged}=cost.usage??deriveUsage(cost);
return{resources:resources.filter(({address,change})=>change!=="deleted"||!plan.moved.from.has(address)).map(one=>({...one,
change:findChange(one,plan)})),unnamed,unnamedUnchanged,isStated:cost.usage!==void 0}}var listUsageResources=cost=>(cost.
usage??deriveUsage(cost)).resources.filter(isOpenAfter);function deriveUsage({groups}){const resources=groups.flatMap(group=>group.
resources.filter(({components})=>components.some(({after,change})=>after===null&&change===null)).map(({address})=>({address,
type:group.type,change:"changed"})));return{resources,unnamed:0,unnamedUnchanged:0}}function readPlannedChanges(rows,isKnown){
const all=rows?.rows??[];const byAddress=Map.groupBy(all,({address})=>address);const moves=all.filter(({previousAddress})=>previousAddress!==
void 0);return{kinds:new Map([...byAddress].map(([address,own])=>[address,new Set(own.map(({change})=>change))])),moved:{
from:new Set(moves.flatMap(({previousAddress})=>previousAddress??[])),to:new Set(moves.map(({address})=>address))},isWhole:isKnown&&
rows?.unread===0&&rows.omitted===0}}var NEW_KINDS=["added","imported"];var CHANGED_KINDS=["changed","replaced"];var GONE_KINDS=[
"deleted","removed"];function findChange({address,change:estimated},{kinds,moved,isWhole}){const change=estimated==="add\
ed"&&moved.to.has(address)?"unchanged":estimated;if(change==="added"||!isOpenAfter({change}))return change;return findPlannedChange(
kinds.get(address))??(change==="unstated"&&isWhole?"unchanged":change)}function findPlannedChange(planned){const is=wanted=>wanted.
some(kind=>planned?.has(kind)===true);if(is(NEW_KINDS))return is(GONE_KINDS)?"changed":"added";if(is(GONE_KINDS))return"\
deleted";return is(CHANGED_KINDS)?"changed":null}var UNKNOWN_DELTA={before:null,after:null,change:null,percent:null};function buildStageReports(stages,namings){const names=namings.
map(({workspace,name})=>({matches:compileGlob(workspace),name}));const ordered=stages.map(stage=>{const place=names.findIndex(
({matches})=>matches?.(stage.workspace));const name=names[place]?.name??stage.workspace;return{place:place<0?names.length:
place,line:{...buildCostLine(stage),...buildOtherFacts(stage),name}}});return ordered.sort((a,b)=>a.place-b.place).map(({
line})=>line)}function buildCostLine(stage){const cost=getFactValue(stage.cost);const amounts=cost===null?UNKNOWN_DELTA:
withPercent(pickAmounts(cost));return{...amounts,currency:cost?.currency??null,...findCostConfidence(stage)}}function buildOtherFacts(stage){
const{org,project,workspace,executionId,executionPage,source,proven,status}=stage;const{createdMs,superseded}=stage;const cost=getFactValue(
stage.cost);const rows=getFactValue(stage.rows);const rowsBecause=findDoubt(stage,stage.rows,"not_stated");const usageBased=buildStageUsage(
{cost,rows,isPlanKnown:rowsBecause===null});return{org,project,workspace,executionId,...executionPage!==void 0&&{executionPage},
source,proven,status,createdMs,superseded,modules:getFactValue(stage.modules),modulesBecause:findDoubt(stage,stage.modules,
"not_stated"),types:cost===null?null:cost.groups.map(({resources:_,...group})=>group),omittedRows:rows?.omitted??0,unreadRows:rows?.
unread??0,rowsBecause,counts:getFactValue(stage.counts),countsBecause:findDoubt(stage,stage.counts,"not_stated"),narrowed:null,
unpriced:cost?.unpriced??null,usageBased,usage:countStageUsage(usageBased),problems:cost?.problems??[],notices:cost?.notices??
[]}}function findCostConfidence(stage){const doubted=findDoubt(stage,stage.cost,"not_estimated");const cost=getFactValue(
stage.cost);if(doubted!==null||cost===null)return{state:"unknown",because:[doubted??"not_read"]};if(cost.completeness===
"partial")return{state:"partial",because:["partly_estimated"]};if(cost.comparison==="nothing")return{state:"partial",because:[
"not_compared"]};if(!isStatedInFull(cost))return{state:"partial",because:["not_stated"]};return isCostContradictory(cost)?
{state:"inconsistent",because:[]}:KNOWN_CONFIDENCE}function findDoubt({proven,status},fact,whenAbsent){if(!proven)return"\
unproven";if(status==="failed")return"execution_failed";if(status==="pending")return"execution_pending";if(fact.state===
"unknown")return fact.reason;if(fact.state==="absent")return whenAbsent;if(fact.state==="stale")return"unavailable";return status===
"unknown"?"not_stated":null}var getFactValue=fact=>fact.state==="known"||fact.state==="stale"?fact.value:null;function isCostContradictory(cost){
if(isDeltaContradictory(cost))return true;if(!cost.partsAreWhole)return false;return isContradictedByParts(cost,cost.groups)||
cost.groups.some(group=>isContradictedByParts(group,group.resources))}var pickAmounts=({before,after,change,percent:percent2})=>({
before,after,change,percent:percent2});function buildResourceReports(stages){const resources=stages.flatMap(stage=>{const cost=getFactValue(stage.cost);if(cost===
null)return[];const priced=new Set(cost.groups.flatMap(({resources:own})=>own.map(({address})=>address)));const rows=(getFactValue(
stage.rows)?.rows??[]).filter(({address})=>priced.has(address));const used=new Set(listUsageResources(cost).map(({address})=>address));
const rowDetails={attributes:collectAttributes(rows),values:collectValues(rows)};const actions={used,kinds:indexStrongestActions(
rows),...rowDetails};const shared={workspace:stage.workspace,stage:buildStageKey(stage),currency:cost.currency};return cost.
groups.flatMap(group=>listStageResources(group,actions).map(own=>({...own,...shared})))});return sortLargestFirst(resources,
({workspace,address})=>`${address} ${workspace}`)}function listStageResources({type,resources},{used,kinds,attributes,values}){
return resources.map(({address,components,...amounts})=>({...withPercent(amounts),address,type,module:deriveModulePath(address),
action:kinds.get(address)??null,changedAttributes:attributes.get(address)??null,...pickAttributeChanges(values.get(address)),
...components.length===0?{}:{components},usageBased:used.has(address)}))}function collectAttributes(rows){const all=new Map;
for(const{address,change,changedAttributes}of rows){if(changedAttributes===void 0||change==="drifted")continue;all.set(address,
[...new Set([...all.get(address)??[],...changedAttributes])])}return all}var collectValues=rows=>new Map(rows.flatMap(({
address,change,attributeChanges})=>attributeChanges===void 0||change==="drifted"?[]:[[address,attributeChanges]]));var pickAttributeChanges=attributeChanges=>attributeChanges===
void 0?{}:{attributeChanges};var KINDS_BY_WEIGHT=["replaced","deleted","removed","added","imported","changed","drifted",
"moved"];function indexStrongestActions(rows){const actions=new Map;for(const{address,change}of rows)actions.set(address,
pickStronger(actions.get(address),change));return actions}function pickStronger(before,change){if(before===void 0)return change;
if(isReplacement(before,change))return"replaced";return KINDS_BY_WEIGHT.indexOf(before)<=KINDS_BY_WEIGHT.indexOf(change)?
before:change}var isReplacement=(a,b)=>a==="deleted"&&b==="added"||a==="added"&&b==="deleted";var KINDS=["deleted","repl\
aced","removed","imported","drifted","added","changed","moved"];function buildReportedRows(stages){const rows=stages.flatMap(
stage=>joinReplacements(getFactValue(stage.rows)?.rows??[]).map(row=>({...row,workspace:stage.workspace,stage:buildStageKey(
stage)})));const kinds=Map.groupBy(rows,({change})=>change);return KINDS.flatMap(kind=>kinds.get(kind)??[])}function joinReplacements(rows){
const halves={added:collectAddresses(rows,"added"),deleted:collectAddresses(rows,"deleted"),replaced:collectAddresses(rows,
"replaced")};return rows.flatMap(row=>{const change=deriveWholeChange(row,halves);if(change===null)return[];return[change===
row.change?row:{...row,change}]})}function deriveWholeChange({address,change},{added,deleted,replaced}){if(change==="add\
ed")return deleted.has(address)||replaced.has(address)?null:change;if(change!=="deleted")return change;if(replaced.has(address))
return null;return added.has(address)?"replaced":change}var collectAddresses=(rows,kind)=>new Set(rows.filter(({change})=>change===
kind).map(({address})=>address));function computeDriftSplits({stages,resources,rows}){const rowsByStage=Map.groupBy(rows,({stage})=>stage);const resourcesByStage=Map.
groupBy(resources,({stage})=>stage);return stages.flatMap(stage=>{const key=buildStageKey(stage);const own=rowsByStage.get(
key)??[];if(stage.currency===null||(stage.counts?.drifted??0)===0)return[];const split=splitDrift(stage,own,resourcesByStage.
get(key)??[]);return[{stage:key,workspace:stage.workspace,currency:stage.currency,split}]})}function splitDrift(stage,rows,resources){
const drifted2=new Set(rows.filter(({change})=>change==="drifted").map(({address})=>address));if(stage.state!=="known"||
stage.change===null||stage.rowsBecause!==null)return null;if(drifted2.size<(stage.counts?.drifted??0))return null;const larger=resources.
filter(({address,change})=>drifted2.has(address)&&change!==ZERO);const planned=new Set(rows.filter(isPlanned).map(({address})=>address));
const touched=larger.filter(({address})=>planned.has(address));if(touched.length<larger.length&&stage.unreadRows+stage.omittedRows>
0)return null;const amounts=touched.flatMap(({change})=>change??[]);if(amounts.length<touched.length)return null;const drift2=sum(
amounts);return{drift:drift2,own:minus(stage.change,drift2)}}var isPlanned=({change})=>change!=="drifted"&&change!=="mov\
ed";var MONTH_MS=730*36e5;function computeLifetimeCosts({stages,context}){const schedules=getFactValue(context.schedules)??[];
return stages.flatMap(stage=>{const lifetimeMs=findLifetime(stage,schedules);const{currency,after,state}=stage;if(lifetimeMs===
null||currency===null||after===null||state!=="known")return[];const amount=computeCostFor(after,lifetimeMs);return[{stage:buildStageKey(
stage),workspace:stage.workspace,currency,lifetimeMs,amount}]})}function findLifetime({org,project},schedules){const lifetimes=schedules.
filter(schedule=>schedule.org===org&&schedule.project===project).flatMap(({lifetime})=>lifetime===null?[]:[readDelay(lifetime)]);
const[first=null,...others]=lifetimes;return others.every(other=>other===first)?first:null}var readDelay=({ms,onDate})=>onDate===
null?ms:null;var computeCostFor=(monthly,ms)=>times(monthly,decimal((ms/MONTH_MS).toFixed(6).replace(/\.?0+$/,"")));function sumCounts(stages){const knownCounts=stages.map(({counts})=>counts).filter(counts=>counts!==null);if(knownCounts.
length===0)return null;const replaced=knownCounts.map(counts=>counts.replaced);return{added:sumChangeCount(knownCounts,"\
added"),changed:sumChangeCount(knownCounts,"changed"),deleted:sumChangeCount(knownCounts,"deleted"),replaced:replaced.some(
count2=>count2===null)?null:sumNumbers(replaced.map(count2=>count2??0)),imported:sumChangeCount(knownCounts,"imported"),
removed:sumChangeCount(knownCounts,"removed"),unchanged:sumChangeCount(knownCounts,"unchanged"),drifted:sumChangeCount(knownCounts,
"drifted")}}var countResourcesAfter=counts=>counts===null?0:counts.added+counts.changed+counts.imported+counts.unchanged;
var sumChangeCount=(counts,which)=>sumNumbers(counts.map(count2=>count2[which]));var sumNumbers=counts=>counts.reduce((sum2,count2)=>sum2+
count2,0);function sumUnpriced(stages){const knownUnpriced=stages.map(({unpriced:unpriced2})=>unpriced2).filter(unpriced2=>unpriced2!==
null);if(knownUnpriced.length===0)return null;const types=new Map;for(const unpriced2 of knownUnpriced){for(const[type,count2]of Object.
entries(unpriced2.types))types.set(type,(types.get(type)??0)+count2)}return{count:sumNumbers(knownUnpriced.map(({count:count2})=>count2)),
types:Object.fromEntries(types)}}function findUnpricedDoubt({state,because,unpriced:unpriced2}){if(state==="unknown")return because[0]??
"not_read";const missing=because.find(reason=>reason==="not_estimated"||reason==="partly_estimated");if(missing!==void 0)
return missing;return unpriced2===null?"not_stated":null}function buildReport(facts,options){const report=assembleReport({stages:buildStageReports(facts.stages,options.stages),resources:buildResourceReports(
facts.stages),rows:buildReportedRows(facts.stages),refused:facts.refused,context:facts.context});return{...report}}function assembleReport(parts){
const{stages,refused,context}=parts;const report=createLazyObject({stages:()=>stages,resources:()=>parts.resources,rows:()=>parts.
rows,refused:()=>refused,context:()=>context,drift:()=>computeDriftSplits(report),lifetimes:()=>computeLifetimeCosts(report),
totals:()=>sumTotals(stages,refused),modules:()=>buildModuleReports(stages,report),modulesBecause:()=>listModulesReasons(
stages),resourceTypes:()=>buildResourceTypeReports(stages,report),omittedRows:()=>stages.reduce((sum2,{omittedRows})=>sum2+
omittedRows,0),changes:()=>sumCounts(stages),changesAreComplete:()=>stages.every(({countsBecause})=>countsBecause===null),
unpriced:()=>sumUnpriced(stages),usageBased:()=>buildUsageReports(stages),usage:()=>sumUsage(stages),unpricedIsComplete:()=>stages.
every(stage=>findUnpricedDoubt(stage)===null)});return report}function narrowReport(report,choose){const choices=new Map(report.stages.map(stage=>[buildStageKey(stage),choose(stage)]));
if([...choices.values()].every(choice=>choice==="all"))return report;const holds=part=>{const choice=choices.get(part.stage);
return typeof choice==="object"?choice.isMatch(part):choice==="all"};const held=createLazyObject({rows:()=>report.rows.filter(
holds),resources:()=>report.resources.filter(holds),all:()=>report.resources});const stages=report.stages.flatMap(stage=>{
const choice=choices.get(buildStageKey(stage));if(choice===void 0||choice==="none")return[];return[choice==="all"?stage:
narrowStage(stage,choice,held)]});return assembleReport({stages,refused:report.refused,context:report.context,get resources(){
return held.resources},get rows(){return held.rows}})}function narrowStage(stage,choice,held){const key=buildStageKey(stage);
const ofStage=resources=>resources.filter(resource=>resource.stage===key);const own=createLazyObject({resources:()=>ofStage(
held.resources),all:()=>ofStage(held.all),counts:()=>stage.counts===null?null:countRows(held.rows.filter(row=>row.stage===
key))});const parts=listParts(stage,choice);const rest=parts===null?null:subtractParts(stage,sumDeltas(parts));return{...stage,
...narrowCost(stage,choice,{parts,rest,contents:own}),modules:choice.by==="module"?selectChosen(stage.modules,parts):null,
types:choice.by==="type"?selectChosen(stage.types,parts):null,narrowed:buildNarrowing(stage,choice,rest),get counts(){return own.
counts},countsBecause:stage.countsBecause??stage.rowsBecause??(stage.omittedRows>0?"too_large":null),unpriced:narrowUnpriced(
stage,choice),...narrowUsage(stage,choice)}}var selectChosen=(parts,breakdown)=>parts?.filter((_,index)=>breakdown?.[index]?.
isChosen===true)??null;function buildNarrowing(stage,choice,rest){const isTold=rest!==null&&isRounding(rest.after);const amountsAreWhole=choice.
by!=="both"&&isTold&&stage.narrowed?.amountsAreWhole!==false;return{amountsAreWhole,resources:stage.narrowed?.resources??
countResourcesAfter(stage.counts)}}function narrowCost(stage,choice,{parts,rest,contents}){if(parts===null||rest===null||
stage.currency===null){const because=stage.modulesBecause??stage.because[0]??"not_stated";return{...UNKNOWN_DELTA2,state:"\
unknown",because:[because]}}const chosenParts=choice.by==="both"?contents.resources:parts.filter(({isChosen})=>isChosen);
const confidence=combineConfidence([stage,...listDoubts(stage,choice),...chosenParts.map(findConfidence),findRestConfidence(
rest),...choice.by==="both"?[findRestConfidence(subtractParts(stage,sumDeltas(contents.all)))]:[]]);return{...sumDeltas(
chosenParts),...confidence}}var UNKNOWN_DELTA2={before:null,after:null,change:null,percent:null};function listParts(stage,{
by,isMatch:matches}){if(by!=="module")return stage.types?.map(part=>({...part,isChosen:matches({module:null,type:part.type})}))??
null;return stage.modules?.map(part=>({...part,isChosen:matches({module:part.module,type:null})}))??null}function listDoubts({
modules,modulesBecause,currency},{by}){if(by!=="module")return[];if(modulesBecause!==null)return[{state:"unknown",because:[
modulesBecause]}];return modules?.every(module=>module.currency===currency)===true?[]:[OTHER_CURRENCY]}var OTHER_CURRENCY={
state:"inconsistent",because:[]};var findConfidence=part=>isStatedInFull(part)?KNOWN_CONFIDENCE:{state:"partial",because:[
"not_stated"]};var findRestConfidence=({change})=>isRounding(change)?KNOWN_CONFIDENCE:{state:"partial",because:["not_sta\
ted"]};function countRows(rows){const count2=(...kinds)=>rows.filter(({change})=>kinds.includes(change)).length;return{added:count2(
"added","replaced"),changed:count2("changed"),deleted:count2("deleted","replaced"),replaced:count2("replaced"),imported:count2(
"imported"),removed:count2("removed"),unchanged:0,drifted:count2("drifted")}}function narrowUsage({usageBased},{isMatch:matches}){
if(usageBased===void 0)return{};const resources=usageBased.resources.filter(({address,type})=>matches({module:deriveModulePath(
address),type}));const own={...usageBased,resources};return{usageBased:own,usage:countStageUsage(own)}}function narrowUnpriced({
unpriced:unpriced2},{by,isMatch:matches}){if(unpriced2===null||by!=="type")return null;const types=Object.entries(unpriced2.
types).filter(([type])=>matches({module:null,type}));return{types:Object.fromEntries(types),count:types.reduce((sum2,[,count2])=>sum2+
count2,0)}}function createMatcher(patterns,leftOut=[]){const isIn=patterns.length===0?()=>true:createAnyMatcher(patterns);if(leftOut.
length===0)return isIn;const isOut=createAnyMatcher(leftOut);return text=>isIn(text)&&!isOut(text)}function createAnyMatcher(patterns){
const compiled=patterns.map(compileGlob);return text=>compiled.some(glob=>glob?.(text)??false)}var isPartialScope=scope=>scope!==null&&(hasPartNames(scope)||scope.not!==void 0&&hasPartNames(scope.not));var hasPartNames=({
stages,workspaces,modules,resourceTypes,providers})=>[stages,workspaces,modules,resourceTypes,providers].some(list=>list.
length>0);var isWorkspaceInScope=(scope,named)=>scope===null||createWorkspaceMatcher(scope)(named);function createWorkspaceMatcher({
workspaces,stages,not}){const workspaceIn=createMatcher(workspaces,not?.workspaces);const stageIn=createMatcher(stages,not?.
stages);return({workspace,name})=>workspaceIn(workspace)&&stageIn(name)}var narrowToScope=(report,scope)=>isPartialScope(
scope)?narrowReport(report,createStageChooser(scope,true)):report;var narrowToSureScope=(report,scope)=>isPartialScope(scope)?
narrowReport(report,createStageChooser(scope,false)):report;function excludeScope(report,scope){if(!isPartialScope(scope))
return null;const choose=createStageChooser(scope,false);const rest=narrowReport(report,stage=>invertChoice(choose(stage)));
return rest.stages.length===0&&listUnseenDoubts(rest.refused).length===0?null:rest}function invertChoice(choice){if(typeof choice===
"object")return{by:choice.by,isMatch:part=>!choice.isMatch(part)};return choice==="all"?"none":"all"}function createStageChooser(scope,unreadIsIn){
const isIn=createWorkspaceMatcher(scope);const part=createPartChoice(scope,unreadIsIn);return stage=>{if(isStageUnread(stage))
return unreadIsIn?"all":"none";return isIn(stage)?part:"none"}}var isStageUnread=({workspace,executionId})=>workspace===
executionId;function createPartChoice(scope,includesUnknown){const{modules,resourceTypes,providers,not}=scope;const byModule=modules.
length+(not?.modules.length??0)>0;const types=[resourceTypes,providers,not?.resourceTypes??[],not?.providers??[]];const byType=types.
some(list=>list.length>0);if(!byModule&&!byType)return"all";const isModule=createModuleMatcher(scope);const isType=createTypeMatcher(
scope);const moduleIn=cacheByName(module=>isModule(module));const typeIn=cacheByName(type=>type===""?includesUnknown:isType(
type));const matchesPart=({module,type})=>(module===null||moduleIn(module))&&(type===null||typeIn(type));return{by:byModule&&
byType?"both":byModule?"module":"type",isMatch:matchesPart}}function createModuleMatcher({modules,not}){const isIn=createMatcher(
modules.map(toModulePattern),not?.modules.map(toModulePattern));return module=>isIn(toPatternPath(module))}function createTypeMatcher({
resourceTypes,providers,not}){const isType=createMatcher(resourceTypes,not?.resourceTypes);const isOf=createProviderMatcher(
providers,not?.providers);return type=>isType(type)&&isOf(type)}function createProviderMatcher(providers,leftOut=[]){const[
wanted,unwanted]=[providers,leftOut].map(list=>new Set(list.map(one=>one.toLowerCase())));return type=>{const provider=parseProvider(
type).toLowerCase();return(wanted?.size===0||wanted?.has(provider)===true)&&unwanted?.has(provider)!==true}}function cacheByName(isIn){
const known=new Map;return name=>{const found=known.get(name)??isIn(name);known.set(name,found);return found}}var parseProvider=type=>type.
split("_",1)[0]??type;var toModulePattern=pattern=>toPatternPath(normalizeModuleName(pattern));var toPatternPath=module=>module.
replaceAll(".","/");var ConditionAmount=class{value;currency;constructor(value,currency){this.value=value;this.currency=currency}};var toDecimal=value=>{
if(value instanceof ConditionAmount)return value.value;const parsed=parseDecimal(typeof value==="bigint"?`${value}`:formatPlainNumber(
value));return parsed??throwNotFinite()};function formatPlainNumber(value){const text=String(value);return text.includes(
"e")?value.toFixed(20).replace(/\.?0+$/,""):text}function throwNotFinite(){throw new RangeError("a number in the express\
ion is too large to compare with money")}var findCurrency=value=>value instanceof ConditionAmount?value.currency:null;function findSharedCurrency(a,b){
const[one,other]=[findCurrency(a),findCurrency(b)];if(one!==null&&other!==null&&one!==other)throw new RangeError(`amount\
s in ${one} and ${other} are never added or compared`);return one??other}var createOperation=work=>(a,b)=>{const currency=findSharedCurrency(
a,b);return new ConditionAmount(work(toDecimal(a),toDecimal(b)),currency)};var add=createOperation(plus);var subtract=createOperation(
minus);var multiply=createOperation(times);var negateAmount=({value,currency})=>new ConditionAmount(negate(value),currency);
function compareAmounts(a,b){findSharedCurrency(a,b);return compare(toDecimal(a),toDecimal(b))}var CelError=class extends Error{#node;#code;#range;#summary;constructor({name,code,message,node,cause,range}){super(message,
cause?{cause}:void 0);this.name=name;this.#code=code;this.#summary=message;this.#node=node;this.#range=range&&normalizeRange(
range)||normalizeRange(node);if(!node?.input)return;this.message=formatErrorWithHighlight(this.#summary,node,this.#range)}get node(){
return this.#node}get code(){return this.#code}get range(){return this.#range}get summary(){return this.#summary}withAst(node){
if(this.#node||!node?.input)return this;this.#node=node;this.#range??=normalizeRange(node);this.message=formatErrorWithHighlight(
this.#summary,node,this.#range);return this}};function normalizeArgs(name,defaultCode,message,node,cause){if(typeof message===
"string")return{name,code:defaultCode,message,node,cause};const opts=message;if(typeof opts!=="object")throw new Error("\
First param to error must be a string or object");return{name,code:opts.code||defaultCode,message:opts.message,node:opts.
node,cause:opts.cause,range:opts.range}}var ParseError=class extends CelError{constructor(message,node,cause){super(normalizeArgs(
"ParseError","parse_error",message,node,cause))}};var EvaluationError=class extends CelError{constructor(message,node,cause){
super(normalizeArgs("EvaluationError","evaluation_error",message,node,cause))}};var TypeError2=class extends CelError{constructor(message,node,cause){
super(normalizeArgs("TypeError","type_error",message,node,cause))}};function parseError(code,message,node){if(typeof code===
"object")return new ParseError(code);return new ParseError({code,message,node})}function evaluationError(code,message,node){
if(typeof code==="object")return new EvaluationError(code);return new EvaluationError({code,message,node})}function typeError(code,message,node){
if(typeof code==="object")return new TypeError2(code);return new TypeError2({code,message,node})}function normalizeRange(node){
const start=node?.pos??node?.start;if(typeof start!=="number")return;const end=typeof node.end==="number"?node.end:start;
return{start,end}}function formatErrorWithHighlight(message,node,range){const pos=node.pos??range?.start;if(typeof pos!==
"number")return message;const input=node.input;let lineNum=1;let currentPos=0;let columnNum=0;while(currentPos<pos){if(input[currentPos]===
"\n"){lineNum++;columnNum=0}else{columnNum++}currentPos++}let contextStart=pos;let contextEnd=pos;while(contextStart>0&&
input[contextStart-1]!=="\n")contextStart--;while(contextEnd<input.length&&input[contextEnd]!=="\n")contextEnd++;const line=input.
slice(contextStart,contextEnd);const highlight=`> ${`${lineNum}`.padStart(4," ")} | ${line}
${" ".repeat(9+columnNum)}^`;return`${message}

${highlight}`}function attachErrorAst(error,node){if(error instanceof CelError)return error.withAst(node);return error}var Optional=class _Optional{#value;constructor(value){this.#value=value}static of(value){if(value===void 0)return OPTIONAL_NONE;
return new _Optional(value)}static none(){return OPTIONAL_NONE}hasValue(){return this.#value!==void 0}value(){if(this.#value===
void 0){throw evaluationError("optional_value_missing","Optional value is not present")}return this.#value}or(optional){
if(this.#value!==void 0)return this;if(optional instanceof _Optional)return optional;throw evaluationError("invalid_opti\
onal_argument","Optional.or must be called with an Optional argument")}orValue(defaultValue){return this.#value===void 0?
defaultValue:this.#value}get[Symbol.toStringTag](){return"optional"}[Symbol.for("nodejs.util.inspect.custom")](){return this.#value===
void 0?`Optional { none }`:`Optional { value: ${JSON.stringify(this.#value)} }`}};var OPTIONAL_NONE=Object.freeze(new Optional);
var OptionalNamespace=class{};var optionalNamespace=new OptionalNamespace;function toggleOptionalTypes(registry,enable){
const optionalConstant=enable?optionalNamespace:void 0;registry.deleteVariable("optional");registry.registerConstant("op\
tional","OptionalNamespace",optionalConstant)}function register(registry){const sync={async:false};const functionOverload=(sig,handler)=>registry.
registerFunctionOverload(sig,handler,sync);const optionalConstant=registry.enableOptionalTypes?optionalNamespace:void 0;
registry.registerType("OptionalNamespace",OptionalNamespace);registry.registerConstant("optional","OptionalNamespace",optionalConstant);
functionOverload("optional.hasValue(): bool",v=>v.hasValue());functionOverload("optional<A>.value(): A",v=>v.value());registry.
registerFunctionOverload("OptionalNamespace.none(): optional<T>",()=>Optional.none());functionOverload("OptionalNamespac\
e.of(A): optional<A>",(_,value)=>Optional.of(value));function ensureOptional(value,ast,description){if(value instanceof Optional)
return value;throw evaluationError("optional_expected",`${description} must be optional`,ast)}function evaluateOptional(ev,macro,ctx){
const v=ev.run(macro.receiver,ctx);if(v instanceof Promise)return v.then(_v=>handleOptionalResolved(_v,ev,macro,ctx));return handleOptionalResolved(
v,ev,macro,ctx)}function handleOptionalResolved(value,ev,macro,ctx){const optional=ensureOptional(value,macro.receiver,`${macro.
functionDesc} receiver`);if(optional.hasValue())return macro.onHasValue(optional);return macro.onEmpty(ev,macro,ctx)}function ensureOptionalType(checker,node,ctx,description){
const type=checker.check(node,ctx);if(type.kind==="optional")return type;if(type.kind==="dyn")return checker.getType("op\
tional");throw checker.createError("optional_expected",`${description} must be optional, got '${type}'`,node)}function createOptionalMacro({
functionDesc,evaluate:evaluate2,typeCheck,onHasValue,onEmpty}){return({ast,args,receiver})=>({ast,functionDesc,receiver,
arg:args[0],evaluate:evaluate2,typeCheck,onHasValue,onEmpty})}const invalidOrValueReceiver="optional.orValue() receiver";
const invalidOrReceiver="optional.or(optional) receiver";const invalidOrArg="optional.or(optional) argument";registry.registerFunctionOverload(
"optional.or(ast): optional<dyn>",createOptionalMacro({functionDesc:"optional.or(optional)",evaluate:evaluateOptional,typeCheck(check2,macro,ctx){
const l=ensureOptionalType(check2,macro.receiver,ctx,invalidOrReceiver);const r=ensureOptionalType(check2,macro.arg,ctx,
invalidOrArg);if(!(macro.receiver.maybeAsync||macro.arg.maybeAsync))macro.ast.setMeta("async",false);const unified=l.unify(
check2.registry,r);if(unified)return unified;throw check2.createError("incompatible_argument_type",`${macro.functionDesc}\
 argument must be compatible type, got '${l}' and '${r}'`,macro.arg)},onHasValue:optional=>optional,onEmpty(ev,macro,ctx){
const ast=macro.arg;const v=ev.run(ast,ctx);if(v instanceof Promise)return v.then(_v=>ensureOptional(_v,ast,invalidOrArg));
return ensureOptional(v,ast,invalidOrArg)}}));registry.registerFunctionOverload("optional.orValue(ast): dyn",createOptionalMacro(
{functionDesc:"optional.orValue(value)",onHasValue:optionalValue=>optionalValue.value(),onEmpty(ev,macro,ctx){return ev.
run(macro.arg,ctx)},evaluate:evaluateOptional,typeCheck(check2,macro,ctx){const l=ensureOptionalType(check2,macro.receiver,
ctx,invalidOrValueReceiver).valueType;const r=check2.check(macro.arg,ctx);if(!(macro.receiver.maybeAsync||macro.arg.maybeAsync))
macro.ast.setMeta("async",false);const unified=l.unify(check2.registry,r);if(unified)return unified;throw check2.createError(
"incompatible_argument_type",`${macro.functionDesc} argument must be compatible type, got '${l}' and '${r}'`,macro.arg)}}))}var hasOwn=Object.hasOwn;var objKeys=Object.keys;var objFreeze=Object.freeze;var objEntries=Object.entries;var isArray=Array.
isArray;var arrayFrom=Array.from;var MIN_UINT=0n;var MAX_UINT=18446744073709551615n;var MAX_INT=9223372036854775807n;var MIN_INT=-9223372036854775808n;
function isAsync(fn,fallback){if(fn?.[Symbol.toStringTag]==="AsyncFunction")return true;return typeof fallback==="boolea\
n"?fallback:true}var RESERVED=new Set(["as","break","const","continue","else","for","function","if","import","let","loop",
"package","namespace","return","var","void","while","__proto__","prototype"]);var UnsignedInt=class{#value;constructor(value){this.verify(typeof value==="bigint"?value:BigInt(value))}get value(){return this.#value}valueOf(){
return this.#value}toString(){return`${this.#value}`}verify(v){if(v<MIN_UINT||v>MAX_UINT){throw evaluationError("numeric\
_overflow","Unsigned integer overflow")}this.#value=v}get[Symbol.toStringTag](){return`value = ${this.#value}`}[Symbol.for(
"nodejs.util.inspect.custom")](){return`UnsignedInteger { value: ${this.#value} }`}};var billion=1e9;var billionBigInt=1000000000n;
var UNIT_NANOSECONDS={h:3600000000000n,m:60000000000n,s:billionBigInt,ms:1000000n,us:1000n,\u00B5s:1000n,ns:1n};var Duration=class _Duration{#seconds;#nanos;constructor(seconds,nanos=0){
this.#seconds=BigInt(seconds);this.#nanos=nanos}get seconds(){return this.#seconds}get nanos(){return this.#nanos}valueOf(){
return Number(this.#seconds)*1e3+this.#nanos/1e6}static fromMilliseconds(ms){const totalNanos=BigInt(Math.trunc(ms*1e6));
const seconds=totalNanos/billionBigInt;const nanos=Number(totalNanos%billionBigInt);return new _Duration(seconds,nanos)}addDuration(other){
const nanos=this.#nanos+other.nanos;return new _Duration(this.#seconds+other.seconds+BigInt(Math.floor(nanos/billion)),nanos%
billion)}subtractDuration(other){const nanos=this.#nanos-other.nanos;return new _Duration(this.#seconds-other.seconds+BigInt(
Math.floor(nanos/billion)),(nanos+billion)%billion)}extendTimestamp(ts){return new Date(ts.getTime()+Number(this.#seconds)*
1e3+Math.floor(this.#nanos/1e6))}subtractTimestamp(ts){return new Date(ts.getTime()-Number(this.#seconds)*1e3-Math.floor(
this.#nanos/1e6))}toString(){const nanos=this.#nanos?(this.#nanos/billion).toLocaleString("en-US",{useGrouping:false,maximumFractionDigits:9}).
slice(1):"";return`${this.#seconds}${nanos}s`}getHours(){return this.#seconds/3600n}getMinutes(){return this.#seconds/60n}getSeconds(){
return this.#seconds}getMilliseconds(){return this.#seconds*1000n+BigInt(Math.floor(this.#nanos/1e6))}get[Symbol.toStringTag](){
return"google.protobuf.Duration"}[Symbol.for("nodejs.util.inspect.custom")](){return`google.protobuf.Duration { seconds:\
 ${this.#seconds}, nanos: ${this.#nanos} }`}};function registerFunctions(registry){const sync={async:false};const functionOverload=(sig,handler)=>registry.
registerFunctionOverload(sig,handler,sync);const identity2=v=>v;functionOverload("dyn(dyn): dyn",identity2);for(const _t in TYPES){
const type=TYPES[_t];if(!(type instanceof Type))continue;functionOverload(`type(${type.name}): type`,()=>type)}functionOverload(
"bool(bool): bool",identity2);functionOverload("bool(string): bool",v=>{switch(v){case"1":case"t":case"true":case"TRUE":case"\
True":return true;case"0":case"f":case"false":case"FALSE":case"False":return false;default:throw evaluationError("bool_c\
onversion_error",`bool() conversion error: invalid string value "${v}"`)}});functionOverload("size(string): int",v=>BigInt(
stringSize(v)));functionOverload("size(bytes): int",v=>BigInt(v.length));functionOverload("size(list): int",v=>BigInt(v.
length??v.size));functionOverload("size(map): int",v=>BigInt(v instanceof Map?v.size:objKeys(v).length));functionOverload(
"string.size(): int",v=>BigInt(stringSize(v)));functionOverload("bytes.size(): int",v=>BigInt(v.length));functionOverload(
"list.size(): int",v=>BigInt(v.length??v.size));functionOverload("map.size(): int",v=>BigInt(v instanceof Map?v.size:objKeys(
v).length));functionOverload("bytes(string): bytes",v=>ByteOpts.fromString(v));functionOverload("bytes(bytes): bytes",identity2);
functionOverload("double(double): double",identity2);functionOverload("double(int): double",v=>Number(v));functionOverload(
"double(uint): double",v=>Number(v));functionOverload("double(string): double",v=>{if(!v||v!==v.trim())throw evaluationError(
"double_conversion_error","double() type error: cannot convert to double");const s=v.toLowerCase();switch(s){case"inf":case"\
+inf":case"infinity":case"+infinity":return Number.POSITIVE_INFINITY;case"-inf":case"-infinity":return Number.NEGATIVE_INFINITY;case"\
nan":return Number.NaN;default:{const parsed=Number(v);if(!Number.isNaN(parsed))return parsed;throw evaluationError("dou\
ble_conversion_error","double() type error: cannot convert to double")}}});functionOverload("int(int): int",identity2);functionOverload(
"int(double): int",v=>{if(Number.isFinite(v))return BigInt(Math.trunc(v));throw evaluationError("numeric_overflow","int(\
) type error: integer overflow")});functionOverload("int(string): int",v=>{if(v!==v.trim()||v.length>20||v.includes("0x")){
throw evaluationError("int_conversion_error","int() type error: cannot convert to int")}try{const num=BigInt(v);if(num<=
MAX_INT&&num>=MIN_INT)return num}catch(_e){}throw evaluationError("int_conversion_error","int() type error: cannot conve\
rt to int")});functionOverload("uint(uint): uint",identity2);functionOverload("uint(int): uint",v=>{try{return new UnsignedInt(
v)}catch(e){throw evaluationError("uint_conversion_error","uint() type error: cannot convert to uint")}});functionOverload(
"uint(double): uint",v=>{try{return new UnsignedInt(Math.trunc(v))}catch(e){throw evaluationError("numeric_overflow","ui\
nt() type error: unsigned integer overflow")}});functionOverload("uint(string): uint",v=>{if(v!==v.trim()||v.length>20||
v.includes("0x")){throw evaluationError("uint_conversion_error","uint() type error: cannot convert to uint")}try{return new UnsignedInt(
v)}catch(e){throw evaluationError("uint_conversion_error","uint() type error: cannot convert to uint")}});functionOverload(
"string(string): string",identity2);functionOverload("string(bool): string",v=>`${v}`);functionOverload("string(int): st\
ring",v=>`${v}`);functionOverload("string(uint): string",v=>`${v}`);functionOverload("string(bytes): string",v=>ByteOpts.
toUtf8(v));functionOverload("string(double): string",v=>{if(v===Infinity)return"+Inf";if(v===-Infinity)return"-Inf";return`${v}`});
functionOverload("string.startsWith(string): bool",(a,b)=>a.startsWith(b));functionOverload("string.endsWith(string): bo\
ol",(a,b)=>a.endsWith(b));functionOverload("string.contains(string): bool",(a,b)=>a.includes(b));functionOverload("strin\
g.lowerAscii(): string",a=>a.toLowerCase());functionOverload("string.upperAscii(): string",a=>a.toUpperCase());functionOverload(
"string.trim(): string",a=>a.trim());functionOverload("string.indexOf(string): int",(string,search)=>BigInt(string.indexOf(
search)));functionOverload("string.indexOf(string, int): int",(string,search,fromIndex)=>{if(search==="")return fromIndex;
fromIndex=Number(fromIndex);if(fromIndex<0||fromIndex>=string.length){throw evaluationError("index_out_of_range","string\
.indexOf(search, fromIndex): fromIndex out of range")}return BigInt(string.indexOf(search,fromIndex))});functionOverload(
"string.lastIndexOf(string): int",(string,search)=>BigInt(string.lastIndexOf(search)));functionOverload("string.lastInde\
xOf(string, int): int",(string,search,fromIndex)=>{if(search==="")return fromIndex;fromIndex=Number(fromIndex);if(fromIndex<
0||fromIndex>=string.length){throw evaluationError("index_out_of_range","string.lastIndexOf(search, fromIndex): fromInde\
x out of range")}return BigInt(string.lastIndexOf(search,fromIndex))});functionOverload("string.substring(int): string",
(string,start)=>{start=Number(start);if(start<0||start>string.length){throw evaluationError("index_out_of_range","string\
.substring(start, end): start index out of range")}return string.substring(start)});functionOverload("string.substring(i\
nt, int): string",(string,start,end)=>{start=Number(start);if(start<0||start>string.length){throw evaluationError("index\
_out_of_range","string.substring(start, end): start index out of range")}end=Number(end);if(end<start||end>string.length){
throw evaluationError("index_out_of_range","string.substring(start, end): end index out of range")}return string.substring(
start,end)});functionOverload("string.matches(string): bool",(a,b)=>{try{return new RegExp(b).test(a)}catch(_err){throw evaluationError(
"invalid_regular_expression",`Invalid regular expression: ${b}`)}});functionOverload("string.split(string): list<string>",
(s,sep)=>s.split(sep));functionOverload("string.split(string, int): list<string>",(s,sep,l)=>{l=Number(l);if(l===0)return[];
const parts=s.split(sep);if(l<0||parts.length<=l)return parts;const limited=parts.slice(0,l-1);limited.push(parts.slice(
l-1).join(sep));return limited});functionOverload("list<string>.join(): string",v=>{for(let i=0;i<v.length;i++){if(typeof v[i]!==
"string"){throw evaluationError("invalid_list_element_type","string.join(): list must contain only strings")}}return v.join(
"")});functionOverload("list<string>.join(string): string",(v,sep)=>{for(let i=0;i<v.length;i++){if(typeof v[i]!=="strin\
g"){throw evaluationError("invalid_list_element_type","string.join(separator): list must contain only strings")}}return v.
join(sep)});const textEncoder=new TextEncoder("utf8");const textDecoder=new TextDecoder("utf8");const ByteOpts=typeof Buffer!==
"undefined"?{byteLength:v=>Buffer.byteLength(v),fromString:str=>Buffer.from(str,"utf8"),toHex:b=>Buffer.prototype.hexSlice.
call(b,0,b.length),toBase64:b=>Buffer.prototype.base64Slice.call(b,0,b.length),toUtf8:b=>Buffer.prototype.utf8Slice.call(
b,0,b.length),jsonParse:b=>JSON.parse(b)}:{textEncoder:new TextEncoder("utf8"),byteLength:v=>textEncoder.encode(v).length,
fromString:str=>textEncoder.encode(str),toHex:Uint8Array.prototype.toHex?b=>b.toHex():b=>arrayFrom(b,i=>i.toString(16).padStart(
2,"0")).join(""),toBase64:Uint8Array.prototype.toBase64?b=>b.toBase64():b=>btoa(arrayFrom(b,i=>String.fromCodePoint(i)).
join("")),toUtf8:b=>textDecoder.decode(b),jsonParse:b=>JSON.parse(textEncoder.decode(b))};functionOverload("bytes.json()\
: map",ByteOpts.jsonParse);functionOverload("bytes.hex(): string",ByteOpts.toHex);functionOverload("bytes.string(): stri\
ng",ByteOpts.toUtf8);functionOverload("bytes.base64(): string",ByteOpts.toBase64);functionOverload("bytes.at(int): int",
(b,index)=>{if(index<0||index>=b.length){throw evaluationError("index_out_of_range","Bytes index out of range")}return BigInt(
b[index])});const TS="google.protobuf.Timestamp";const GPD="google.protobuf.Duration";const TimestampType=registry.registerType(
TS,Date).typeType;const DurationType=registry.registerType(GPD,Duration).typeType;registry.registerConstant("google","ma\
p<string, map<string, type>>",{protobuf:{Duration:DurationType,Timestamp:TimestampType}});function tzDate(d,timeZone){return new Date(
d.toLocaleString("en-US",{timeZone}))}function getDayOfYear(d,tz){const workingDate=tz?tzDate(d,tz):new Date(d.getUTCFullYear(),
d.getUTCMonth(),d.getUTCDate());const start=new Date(workingDate.getFullYear(),0,0);return BigInt(Math.floor((workingDate-
start)/864e5)-1)}functionOverload(`timestamp(string): ${TS}`,v=>{if(v.length<20||v.length>30){throw evaluationError("inv\
alid_timestamp","timestamp() requires a string in ISO 8601 format")}const d=new Date(v);if(d<=0xe677d21fdbff&&d>=-621355968e5)
return d;throw evaluationError("invalid_timestamp","timestamp() requires a string in ISO 8601 format")});functionOverload(
`timestamp(int): ${TS}`,i=>{i=Number(i)*1e3;if(i<=0xe677d21fdbff&&i>=-621355968e5)return new Date(i);throw evaluationError(
"invalid_timestamp","timestamp() requires a valid integer unix timestamp")});functionOverload(`${TS}.getDate(): int`,d=>BigInt(
d.getUTCDate()));functionOverload(`${TS}.getDate(string): int`,(d,tz)=>BigInt(tzDate(d,tz).getDate()));functionOverload(
`${TS}.getDayOfMonth(): int`,d=>BigInt(d.getUTCDate()-1));functionOverload(`${TS}.getDayOfMonth(string): int`,(d,tz)=>BigInt(
tzDate(d,tz).getDate()-1));functionOverload(`${TS}.getDayOfWeek(): int`,d=>BigInt(d.getUTCDay()));functionOverload(`${TS}\
.getDayOfWeek(string): int`,(d,tz)=>BigInt(tzDate(d,tz).getDay()));functionOverload(`${TS}.getDayOfYear(): int`,getDayOfYear);
functionOverload(`${TS}.getDayOfYear(string): int`,getDayOfYear);functionOverload(`${TS}.getFullYear(): int`,d=>BigInt(d.
getUTCFullYear()));functionOverload(`${TS}.getFullYear(string): int`,(d,tz)=>BigInt(tzDate(d,tz).getFullYear()));functionOverload(
`${TS}.getHours(): int`,d=>BigInt(d.getUTCHours()));functionOverload(`${TS}.getHours(string): int`,(d,tz)=>BigInt(tzDate(
d,tz).getHours()));functionOverload(`${TS}.getMilliseconds(): int`,d=>BigInt(d.getUTCMilliseconds()));functionOverload(`${TS}\
.getMilliseconds(string): int`,d=>BigInt(d.getUTCMilliseconds()));functionOverload(`${TS}.getMinutes(): int`,d=>BigInt(d.
getUTCMinutes()));functionOverload(`${TS}.getMinutes(string): int`,(d,tz)=>BigInt(tzDate(d,tz).getMinutes()));functionOverload(
`${TS}.getMonth(): int`,d=>BigInt(d.getUTCMonth()));functionOverload(`${TS}.getMonth(string): int`,(d,tz)=>BigInt(tzDate(
d,tz).getMonth()));functionOverload(`${TS}.getSeconds(): int`,d=>BigInt(d.getUTCSeconds()));functionOverload(`${TS}.getS\
econds(string): int`,(d,tz)=>BigInt(tzDate(d,tz).getSeconds()));const parseDurationPattern=/(\d*\.?\d*)(ns|us|µs|ms|s|m|h)/;
function parseDuration(string){if(!string)throw evaluationError("invalid_duration",`Invalid duration string: ''`);const isNegative=string[0]===
"-";if(string[0]==="-"||string[0]==="+")string=string.slice(1);let nanoseconds=BigInt(0);while(true){const match=parseDurationPattern.
exec(string);if(!match)throw evaluationError("invalid_duration",`Invalid duration string: ${string}`);if(match.index!==0)
throw evaluationError("invalid_duration",`Invalid duration string: ${string}`);string=string.slice(match[0].length);const unitNanos=UNIT_NANOSECONDS[match[2]];
const[intPart="0",fracPart=""]=match[1].split(".");const intVal=BigInt(intPart)*unitNanos;const fracNanos=fracPart?BigInt(
fracPart.slice(0,13).padEnd(13,"0"))*unitNanos/10000000000000n:0n;nanoseconds+=intVal+fracNanos;if(string==="")break}const seconds=nanoseconds>=
billionBigInt?nanoseconds/billionBigInt:0n;const nanos=Number(nanoseconds%billionBigInt);if(isNegative)return new Duration(
-seconds,-nanos);return new Duration(seconds,nanos)}functionOverload(`duration(string): google.protobuf.Duration`,s=>parseDuration(
s));functionOverload(`google.protobuf.Duration.getHours(): int`,d=>d.getHours());functionOverload(`google.protobuf.Durat\
ion.getMinutes(): int`,d=>d.getMinutes());functionOverload(`google.protobuf.Duration.getSeconds(): int`,d=>d.getSeconds());
functionOverload(`google.protobuf.Duration.getMilliseconds(): int`,d=>d.getMilliseconds());register(registry)}function stringSize(str){
let count2=0;for(const c of str)count2++;return count2}var Type=class{#name;constructor(name){this.#name=name;objFreeze(this)}get name(){return this.#name}get[Symbol.toStringTag](){
return`Type<${this.#name}>`}toString(){return`Type<${this.#name}>`}};var TYPES={string:new Type("string"),bool:new Type(
"bool"),int:new Type("int"),uint:new Type("uint"),double:new Type("double"),map:new Type("map"),list:new Type("list"),bytes:new Type(
"bytes"),null_type:new Type("null"),type:new Type("type")};var optionalType=new Type("optional");var valueTypeMatchers={
dyn(v,ev){switch(typeof v){case"string":case"bigint":case"number":case"boolean":return true;case"object":switch(v?v.constructor:
v){case null:case void 0:case Object:case Map:case Array:case Set:return true;default:if(ev.objectTypesByConstructor.get(
v.constructor))return true}}return!!ev.debugType(v)},string(v){return typeof v==="string"},int(v){return typeof v==="big\
int"},double(v){return typeof v==="number"},bool(v){return typeof v==="boolean"},null(v){return v===null},bytes(v){return v instanceof
Uint8Array},uint(v){return v instanceof UnsignedInt},type(v){return v instanceof Type},list(v){switch(v?.constructor){case Array:case Set:
return true;default:return false}},map(v){switch(typeof v==="object"&&v?v.constructor:null){case void 0:case Object:case Map:
return true;default:return false}},optional(v){return v instanceof Optional},message(v,ev){return this===ev.debugType(v)}};
valueTypeMatchers.param=valueTypeMatchers.dyn;var TypeDeclaration=class{#matchesCache=new WeakMap;constructor({kind,type,
name,keyType,valueType}){this.kind=kind;this.type=type;this.name=name;this.keyType=keyType;this.valueType=valueType;this.
unwrappedType=kind==="dyn"&&valueType?valueType.unwrappedType:this;this.wrappedType=kind==="dyn"?this:_createDynType(this.
unwrappedType);this.hasDynType=this.kind==="dyn"||this.valueType?.hasDynType||this.keyType?.hasDynType||false;this.hasPlaceholderType=
this.kind==="param"||this.keyType?.hasPlaceholderType||this.valueType?.hasPlaceholderType||false;if(kind==="list")this.fieldLazy=
this.#getListField;else if(kind==="map")this.fieldLazy=this.#getMapField;else if(kind==="message")this.fieldLazy=this.#getMessageField;else if(kind===
"optional")this.fieldLazy=this.#getOptionalField;this.matchesValueType=valueTypeMatchers[name]||valueTypeMatchers[kind];
objFreeze(this)}isDynOrBool(){return this.type==="bool"||this.kind==="dyn"}isEmpty(){return this.valueType&&this.valueType.
kind==="param"}unify(r,t2){const t1=this;if(t1===t2||t1.kind==="dyn"||t2.kind==="param")return t1;if(t2.kind==="dyn"||t1.
kind==="param")return t2;if(t1.kind!==t2.kind)return null;if(!(t1.hasPlaceholderType||t2.hasPlaceholderType||t1.hasDynType||
t2.hasDynType))return null;const valueType=t1.valueType.unify(r,t2.valueType);if(!valueType)return null;switch(t1.kind){case"\
optional":return r.getOptionalType(valueType);case"list":return r.getListType(valueType);case"map":const keyType=t1.keyType.
unify(r,t2.keyType);return keyType?r.getMapType(keyType,valueType):null}}templated(r,bind){if(!this.hasPlaceholderType)return this;
switch(this.kind){case"dyn":return this.valueType.templated(r,bind);case"param":return bind?.get(this.name)||this;case"m\
ap":return r.getMapType(this.keyType.templated(r,bind),this.valueType.templated(r,bind));case"list":return r.getListType(
this.valueType.templated(r,bind));case"optional":return r.getOptionalType(this.valueType.templated(r,bind));default:return this}}toString(){
return this.name}#getOptionalField(obj,key,ast,ev){obj=obj instanceof Optional?obj.orValue():obj;if(obj===void 0)return OPTIONAL_NONE;
const type=ev.debugType(obj);try{return Optional.of(type.fieldLazy(obj,key,ast,ev))}catch(e){if(e instanceof EvaluationError)
return OPTIONAL_NONE;throw e}}#getMessageField(obj,key,ast,ev){const message=obj?ev.objectTypesByConstructor.get(obj.constructor):
void 0;if(!message)return;const type=message.fields?message.fields[key]:dynType;if(!type)return void 0;const value=obj instanceof
Map?obj.get(key):obj[key];if(value===void 0)return;if(type.matchesValueType(value,ev))return value;throw evaluationError(
"field_type_mismatch",`Field '${key}' is not of type '${type}', got '${ev.debugType(value)}'`,ast)}#getMapField(obj,key,ast,ev){
const value=obj instanceof Map?obj.get(key):obj&&hasOwn(obj,key)?obj[key]:void 0;if(value===void 0)return;if(this.valueType.
matchesValueType(value,ev))return value;throw evaluationError("field_type_mismatch",`Field '${key}' is not of type '${this.
valueType}', got '${ev.debugType(value)}'`,ast)}#getListElementAtIndex(list,pos){switch(list?.constructor){case Array:return list[pos];case Set:{
let i=0;for(const item of list){if(i++!==pos)continue;return item}}}}#getListField(obj,key,ast,ev){if(typeof key==="bigi\
nt")key=Number(key);else if(typeof key!=="number")return;const value=this.#getListElementAtIndex(obj,key);if(value===void 0){
if(!obj)return;throw evaluationError("index_out_of_bounds",`No such key: index out of bounds, index ${key} ${key<0?"< 0":
`>= size ${obj.length||obj.size}`}`,ast)}if(this.valueType.matchesValueType(value,ev))return value;throw evaluationError(
"list_item_type_mismatch",`List item with index '${key}' is not of type '${this.valueType}', got '${ev.debugType(value)}\
'`,ast)}fieldLazy(){}field(obj,key,ast,ev){const v=this.fieldLazy(obj,key,ast,ev);if(v!==void 0)return v;throw evaluationError(
"no_such_key",`No such key: ${key}`,ast)}matchesBoth(other){return this.matches(other)&&other.matches(this)}matches(o){const s=this.
unwrappedType;o=o.unwrappedType;if(s===o||s.kind==="dyn"||o.kind==="dyn"||o.kind==="param")return true;return this.#matchesCache.
get(o)??this.#matchesCache.set(o,this.#matches(s,o)).get(o)}#matches(s,o){switch(s.kind){case"dyn":case"param":return true;case"\
list":return o.kind==="list"&&s.valueType.matches(o.valueType);case"map":return o.kind==="map"&&s.keyType.matches(o.keyType)&&
s.valueType.matches(o.valueType);case"optional":return o.kind==="optional"&&s.valueType.matches(o.valueType);default:return s.
name===o.name}}};var macroEvaluateErr=`have a .callAst property or .evaluate(checker, macro, ctx) method.`;var macroTypeCheckErr=`\
have a .callAst property or .typeCheck(checker, macro, ctx) method.`;function wrapMacroExpander(name,handler){const p=`M\
acro '${name}' must`;return function macroExpander(opts){const macro=handler(opts);if(!macro||typeof macro!=="object")throw new Error(
`${p} return an object.`);if(macro.callAst)return macro;if(!macro.evaluate)throw new Error(`${p} ${macroEvaluateErr}`);if(!macro.
typeCheck)throw new Error(`${p} ${macroTypeCheckErr}`);return macro}}var VariableDeclaration=class{constructor(name,type,description,value){
this.name=name;this.type=type;this.description=description??null;this.constant=value!==void 0;this.value=value;objFreeze(
this)}};var FunctionDeclaration=class{constructor({name,receiverType,returnType,handler,description,params,async}){if(typeof name!==
"string")throw new Error("name must be a string");if(typeof handler!=="function")throw new Error("handler must be a func\
tion");this.name=name;this.async=isAsync(handler,async);this.receiverType=receiverType??null;this.returnType=returnType;
this.description=description??null;this.params=params;this.argTypes=params.map(p=>p.type);this.macro=this.argTypes.includes(
astType);const receiverString=receiverType?`${receiverType}.`:"";this.signature=`${receiverString}${name}(${this.argTypes.
join(", ")}): ${returnType}`;this.handler=this.macro?wrapMacroExpander(this.signature,handler):handler;this.partitionKey=
`${receiverType?"rcall":"call"}:${name}:${params.length}`;this.hasPlaceholderType=this.returnType.hasPlaceholderType||this.
receiverType?.hasPlaceholderType||this.argTypes.some(t=>t.hasPlaceholderType)||false;objFreeze(this)}matchesArgs(argTypes){
return argTypes.length===this.argTypes.length&&this.argTypes.every((t,i)=>t.matches(argTypes[i]))?this:null}};var OperatorDeclaration=class{constructor({
op,leftType,rightType,handler,returnType,async}){this.operator=op;this.leftType=leftType;this.rightType=rightType||null;
this.handler=handler;this.async=isAsync(handler,async);this.returnType=returnType;if(rightType)this.signature=`${leftType}\
 ${op} ${rightType}: ${returnType}`;else this.signature=`${op}${leftType}: ${returnType}`;this.hasPlaceholderType=this.leftType.
hasPlaceholderType||this.rightType?.hasPlaceholderType||false;objFreeze(this)}equals(other){return this.operator===other.
operator&&this.leftType===other.leftType&&this.rightType===other.rightType}};function _createListType(valueType){return new TypeDeclaration(
{kind:"list",name:`list<${valueType}>`,type:"list",valueType})}function _createPrimitiveType(name){return new TypeDeclaration(
{kind:"primitive",name,type:name})}function _createMessageType(name){return new TypeDeclaration({kind:"message",name,type:name})}
function _createDynType(valueType){const name=valueType?`dyn<${valueType}>`:"dyn";return new TypeDeclaration({kind:"dyn",
name,type:name,valueType})}function _createOptionalType(valueType){const name=`optional<${valueType}>`;return new TypeDeclaration(
{kind:"optional",name,type:"optional",valueType})}function _createMapType(keyType,valueType){return new TypeDeclaration(
{kind:"map",name:`map<${keyType}, ${valueType}>`,type:"map",keyType,valueType})}function _createPlaceholderType(name){return new TypeDeclaration(
{kind:"param",name,type:name})}var dynType=_createDynType();var astType=_createPrimitiveType("ast");var listType=_createListType(
dynType);var mapType=_createMapType(dynType,dynType);var celTypes={string:_createPrimitiveType("string"),bool:_createPrimitiveType(
"bool"),int:_createPrimitiveType("int"),uint:_createPrimitiveType("uint"),double:_createPrimitiveType("double"),bytes:_createPrimitiveType(
"bytes"),dyn:dynType,null:_createPrimitiveType("null"),type:_createPrimitiveType("type"),optional:_createOptionalType(dynType),
list:listType,"list<dyn>":listType,map:mapType,"map<dyn, dyn>":mapType};for(const t of[celTypes.string,celTypes.double,celTypes.
int]){const list=_createListType(t);const map=_createMapType(celTypes.string,t);celTypes[list.name]=list;celTypes[map.name]=
map}Object.freeze(celTypes);var Candidates=class{returnType=null;async=false;macro=false;#matchCache=null;#checkCache=null;declarations=[];constructor(registry){
this.registry=registry}[Symbol.iterator](){return this.declarations[Symbol.iterator]()}add(decl){this.returnType=(this.returnType||
decl.returnType).unify(this.registry,decl.returnType)||dynType;if(decl.macro)this.macro=decl;if(decl.async&&!this.async)
this.async=true;this.declarations.push(decl);this.#matchCache?.clear();this.#checkCache?.clear()}findFunction(argTypes,receiverType=null){
for(let i=0;i<this.declarations.length;i++){const match=this.#matchesFunction(this.declarations[i],argTypes,receiverType);
if(match)return match}return null}findUnaryOverload(left){const cached=(this.#matchCache??=new Map).get(left);if(cached!==
void 0)return cached;let value=false;for(const decl of this.declarations){if(decl.leftType!==left)continue;value=decl;break}
this.#matchCache.set(left,value);return value}findBinaryOverload(left,right){if(left.kind==="dyn"&&left.valueType)right=
right.wrappedType;else if(right.kind==="dyn"&&right.valueType)left=left.wrappedType;return(this.#matchCache??=new Map).get(
left)?.get(right)??this.#cacheBinary(this.#matchCache,left,right,this.#findBinaryUncached(left,right))}checkBinaryOverload(left,right){
return(this.#checkCache??=new Map).get(left)?.get(right)??this.#cacheBinary(this.#checkCache,left,right,this.#checkBinaryUncached(
left,right))}#cacheBinary(c,l,r,v){return(c.get(l)||c.set(l,new Map).get(l)).set(r,v),v}#findBinaryUncached(left,right){
const ops=this.#findBinaryOverloads(left,right);if(ops.length===0)return false;if(ops.length===1)return ops[0];throw new Error(
`Operator overload '${ops[0].signature}' overlaps with '${ops[1].signature}'.`)}#checkBinaryUncached(left,right){const ops=this.#findBinaryOverloads(
left,right);if(ops.length===0)return false;let rt=ops[0].returnType;for(let i=1;i<ops.length;i++)rt=rt.unify(this.registry,
ops[i].returnType)||dynType;return rt}#findBinaryOverloads(leftType,rightType){const nonexactMatches=[];for(const decl of this.
declarations){if(decl.leftType===leftType&&decl.rightType===rightType)return[decl];const secondary=this.#matchBinaryOverload(
decl,leftType,rightType);if(secondary)nonexactMatches.push(secondary)}if(nonexactMatches.length===0){const op=this.declarations[0]?.
operator;if((op==="=="||op==="!=")&&leftType.kind==="dyn"){return fallbackDynEqualityMatchers[op]}}return nonexactMatches}#matchBinaryOverload(decl,actualLeft,actualRight){
const bindings=decl.hasPlaceholderType?new Map:null;const leftType=this.#matchTypeWithPlaceholders(decl.leftType,actualLeft,
bindings);if(!leftType)return;const rightType=this.#matchTypeWithPlaceholders(decl.rightType,actualRight,bindings);if(!rightType)
return;if((decl.operator==="=="||decl.operator==="!=")&&decl.leftType.kind==="dyn"&&decl.leftType.valueType&&actualLeft.
kind!=="dyn"&&actualRight.kind!=="dyn")return false;return decl.hasPlaceholderType?{async:decl.async,signature:decl.signature,
handler:decl.handler,leftType,rightType,returnType:decl.returnType.templated(this.registry,bindings)}:decl}#matchesFunction(fn,argTypes,receiverType){
if(fn.hasPlaceholderType)return this.#matchWithPlaceholders(fn,argTypes,receiverType);if(receiverType&&fn.receiverType&&
!receiverType.matches(fn.receiverType))return;return fn.matchesArgs(argTypes)}#matchWithPlaceholders(fn,argTypes,receiverType){
const bindings=new Map;if(receiverType&&fn.receiverType){if(!this.#matchTypeWithPlaceholders(fn.receiverType,receiverType,
bindings)){return null}}for(let i=0;i<argTypes.length;i++){if(!this.#matchTypeWithPlaceholders(fn.argTypes[i],argTypes[i],
bindings)){return null}}return{async:fn.async,handler:fn.handler,signature:fn.signature,returnType:fn.returnType.templated(
this.registry,bindings)}}#matchTypeWithPlaceholders(declared,actual,bindings){if(!declared.hasPlaceholderType)return actual.
matches(declared)?actual:null;const treatAsDyn=actual.kind==="dyn";if(!this.#collectPlaceholderBindings(declared,actual,
bindings,treatAsDyn))return null;if(treatAsDyn)return actual;return actual.matches(declared.templated(this.registry,bindings))?
actual:null}#collectPlaceholderBindings(dec,act,bind,fromDyn=false){if(!dec.hasPlaceholderType)return true;if(!act)return false;
const asDyn=fromDyn||act.kind==="dyn";act=act.unwrappedType;switch(dec.kind){case"param":{const type=asDyn?dynType:act;const existing=bind.
get(dec.name);if(!existing)return bind.set(dec.name,type)&&true;return existing.kind==="dyn"||type.kind==="dyn"?true:existing.
matchesBoth(type)}case"list":{if(act.name==="dyn")act=dec;if(act.kind!=="list")return false;return this.#collectPlaceholderBindings(
dec.valueType,act.valueType,bind,asDyn)}case"map":{if(act.name==="dyn")act=dec;if(act.kind!=="map")return false;return this.#collectPlaceholderBindings(
dec.keyType,act.keyType,bind,asDyn)&&this.#collectPlaceholderBindings(dec.valueType,act.valueType,bind,asDyn)}case"optio\
nal":{if(act.name==="dyn")act=dec;if(act.kind!=="optional")return false;return this.#collectPlaceholderBindings(dec.valueType,
act.valueType,bind,asDyn)}}return true}};function splitByComma(str){const parts=[];let current="";let depth=0;for(const char of str){
if(char==="<")depth++;else if(char===">")depth--;else if(char===","&&depth===0){parts.push(current.trim());current="";continue}
current+=char}if(current)parts.push(current.trim());return parts}var objTypesDecls=[[UnsignedInt,"uint",TYPES.uint,celTypes.
uint],[Type,"type",TYPES.type,celTypes.type],[Optional,"optional",optionalType,celTypes.optional],[Uint8Array,"bytes",TYPES.
bytes,celTypes.bytes],...typeof Buffer!=="undefined"?[[Buffer,"bytes",TYPES.bytes,celTypes.bytes]]:[]].map(([ctor,name,typeType,
type])=>Object.freeze({name,typeType,type,ctor}));var objTypes=objTypesDecls.map(t=>[t.name,t]);var objTypesCtor=objTypesDecls.
map(t=>[t.ctor,t]);var invalidVar=postfix=>new Error(`Invalid variable declaration: ${postfix}`);var invalidType=postfix=>new Error(
`Invalid type declaration: ${postfix}`);var fallbackDynEqualityMatchers={"==":[{handler:(a,b)=>a===b,returnType:celTypes.
bool}],"!=":[{handler:(a,b)=>a!==b,returnType:celTypes.bool}]};var Registry=class _Registry{#parent=null;#typeDeclarations;#ownsVariables=true;#operators=null;#functions=null;#operatorsByOp=null;#functionsByKey=null;#listTypes=null;#mapTypes=null;#optionalTypes=null;#others=null;#locked=false;constructor(opts={}){
this.enableOptionalTypes=opts.enableOptionalTypes??false;this.unlistedVariablesAreDyn=opts.unlistedVariablesAreDyn??false;
const parent=opts.parent instanceof _Registry?opts.parent:null;if(parent){this.#parent=parent;let opParent=parent;while(opParent&&
!opParent.#operators)opParent=opParent.#parent;let fnParent=parent;while(fnParent&&!fnParent.#functions)fnParent=fnParent.#parent;
this.#operatorsByOp=parent.#operatorsByOp;this.#functionsByKey=parent.#functionsByKey;this.#others={operators:opParent.#operators,
functions:fnParent.#functions};this.objectTypes=new Map(parent.objectTypes);this.objectTypesByConstructor=new Map(parent.
objectTypesByConstructor);this.variables=parent.variables;this.#ownsVariables=false;this.#typeDeclarations=parent.#typeDeclarations;
this.#listTypes=parent.#listTypes;this.#mapTypes=parent.#mapTypes;this.#optionalTypes=parent.#optionalTypes;if(this.enableOptionalTypes!==
parent.enableOptionalTypes||this.unlistedVariablesAreDyn!==parent.unlistedVariablesAreDyn){toggleOptionalTypes(this,this.
enableOptionalTypes)}}else{this.#operators=[];this.#functions=[];this.objectTypes=new Map(objTypes);this.objectTypesByConstructor=
new Map(objTypesCtor);this.#typeDeclarations=new Map(objEntries(celTypes));this.#listTypes=new Map;this.#mapTypes=new Map;
this.#optionalTypes=new Map;this.variables=new Map;this.variables.dyn=this.unlistedVariablesAreDyn;for(const n in TYPES)
this.registerConstant(n,"type",TYPES[n])}}#ensureOwnVariables(){if(this.#ownsVariables)return;this.variables=new Map(this.
variables);this.variables.dyn=this.unlistedVariablesAreDyn;this.#ownsVariables=true}deleteVariable(name){this.#ensureOwnVariables();
this.variables.delete(name)}#pushOperator(decl){if(!this.#operators)this.#operatorsByOp=null;this.operatorCandidates(decl.
operator).add(decl);this.#operators.push(decl)}#pushFunction(decl){if(!this.#functions)this.#functionsByKey=null;this.#functionCandidates(
decl.partitionKey).add(decl);this.#functions.push(decl)}#ensureCandiate(c,key){return c.get(key)||c.set(key,new Candidates(
this)).get(key)}#getOperators(){if(this.#operators)return this.#operators;return this.#operators=[...this.#others.operators]}#getFunctions(){
if(this.#functions)return this.#functions;return this.#functions=[...this.#others.functions]}operatorCandidates(op){if(this.#operatorsByOp)
return this.#ensureCandiate(this.#operatorsByOp,op);const c=this.#operatorsByOp=new Map;for(const decl of this.#getOperators())
this.#ensureCandiate(c,decl.operator).add(decl);return this.#ensureCandiate(c,op)}functionCandidates(rec,name,argLen){return this.#functionCandidates(
`${rec?"rcall":"call"}:${name}:${argLen}`)}#functionCandidates(key){if(this.#functionsByKey)return this.#ensureCandiate(
this.#functionsByKey,key);const c=this.#functionsByKey=new Map;for(const decl of this.#getFunctions())this.#ensureCandiate(
c,decl.partitionKey).add(decl);return this.#ensureCandiate(c,key)}registerVariable(name,type,opts){if(this.#locked)throw new Error(
"Cannot modify frozen registry");let description=opts?.description;let value;if(typeof name==="string"&&typeof type==="o\
bject"&&!(type instanceof TypeDeclaration)){description=type.description;value=type.value;if(type.schema)type=this.registerType(
{name:`$${name}`,schema:type.schema}).type;else type=type.type}else if(typeof name==="object"){if(name.schema)type=this.
registerType({name:`$${name.name}`,schema:name.schema}).type;else type=name.type;description=name.description;value=name.
value;name=name.name}if(typeof name!=="string"||!name)throw invalidVar(`name must be a string`);if(RESERVED.has(name))throw invalidVar(
`'${name}' is a reserved name`);if(this.variables.get(name)!==void 0)throw invalidVar(`'${name}' is already registered`);
if(typeof type==="string")type=this.getType(type);else if(!(type instanceof TypeDeclaration))throw invalidVar(`type is r\
equired`);this.#ensureOwnVariables();this.variables.set(name,new VariableDeclaration(name,type,description,value));return this}#registerSchemaAsType(name,schema){
const fields=Object.create(null);for(const key of objKeys(schema)){const def=schema[key];if(typeof def==="object"&&def){
fields[key]=this.registerType({name:`${name}.${key}`,schema:def}).type.name}else if(typeof def==="string"){fields[key]=def}else{
throw new Error(`Invalid field definition for '${name}.${key}'`)}}return fields}registerConstant(name,type,value){if(typeof name===
"object")this.registerVariable(name);else this.registerVariable({name,type,value});return this}getType(typename){return this.#parseTypeString(
typename,true)}getListType(type){return this.#listTypes.get(type)||this.#listTypes.set(type,this.#parseTypeString(`list<${type}\
>`,true)).get(type)}getMapType(a,b){return this.#mapTypes.get(a)?.get(b)||(this.#mapTypes.get(a)||this.#mapTypes.set(a,new Map).
get(a)).set(b,this.#parseTypeString(`map<${a}, ${b}>`,true)).get(b)}getOptionalType(type){return this.#optionalTypes.get(
type)||this.#optionalTypes.set(type,this.#parseTypeString(`optional<${type}>`,true)).get(type)}assertType(typename,type,signature){
try{return this.#parseTypeString(typename,true)}catch(e){e.message=`Invalid ${type} '${e.unknownType||typename}' in '${signature}\
'`;throw e}}getFunctionType(typename){if(typename==="ast")return astType;const t=this.#parseTypeString(typename,true);if(t.
kind==="dyn"&&t.valueType)throw new Error(`type '${t.name}' is not supported`);return t}registerType(name,_d){if(this.#locked)
throw new Error("Cannot modify frozen registry");if(typeof name==="object")_d=name,name=_d.fullName||_d.name||_d.ctor?.name;
if(typeof name==="string"&&name[0]===".")name=name.slice(1);if(typeof name!=="string"||name.length<2||RESERVED.has(name)){
throw invalidType(`name '${name}' is not valid`)}if(this.objectTypes.has(name))throw invalidType(`type '${name}' already\
 registered`);const type=this.#parseTypeString(name,false);if(type.kind!=="message")throw invalidType(`type '${name}' is\
 not valid`);const decl={name,typeType:new Type(name),type,ctor:typeof _d==="function"?_d:_d?.ctor,convert:typeof _d==="\
function"?void 0:_d?.convert,fields:typeof _d?.schema==="object"?this.#normalizeFields(name,this.#registerSchemaAsType(name,
_d.schema)):this.#normalizeFields(name,typeof _d==="function"?void 0:_d?.fields)};if(typeof decl.ctor!=="function"){if(!decl.
fields)throw invalidType(`type '${name}' requires a constructor or fields`);Object.assign(decl,this.#createDefaultConvert(
name,decl.fields))}this.objectTypes.set(name,Object.freeze(decl));this.objectTypesByConstructor.set(decl.ctor,decl);this.
registerFunctionOverload(`type(${name}): type`,()=>decl.typeType,{async:false});return decl}#parseTypeString(typeStr,requireKnownTypes=true){
let match=this.#typeDeclarations.get(typeStr);if(match)return match;if(typeof typeStr!=="string"||!typeStr.length){throw new Error(
`Invalid type: must be a string`)}match=typeStr.match(/^[A-Z]$/);if(match)return this.#createDeclaration(_createPlaceholderType,
typeStr,typeStr);match=typeStr.match(/^(dyn|list|map|optional)<(.+)>$/);if(!match){if(requireKnownTypes){const err=new Error(
`Unknown type: ${typeStr}`);err.unknownType=typeStr;throw err}return this.#createDeclaration(_createMessageType,typeStr,
typeStr)}const kind=match[1];const inner=match[2].trim();switch(kind){case"dyn":{const type=this.#parseTypeString(inner,
requireKnownTypes).wrappedType;this.#typeDeclarations.set(type.name,type);return type}case"list":{const vType=this.#parseTypeString(
inner,requireKnownTypes);return this.#createDeclaration(_createListType,`list<${vType}>`,vType)}case"map":{const parts=splitByComma(
inner);if(parts.length!==2)throw new Error(`Invalid map type: ${typeStr}`);const kType=this.#parseTypeString(parts[0],requireKnownTypes);
const vType=this.#parseTypeString(parts[1],requireKnownTypes);return this.#createDeclaration(_createMapType,`map<${kType}\
, ${vType}>`,kType,vType)}case"optional":{const vType=this.#parseTypeString(inner,requireKnownTypes);return this.#createDeclaration(
_createOptionalType,`optional<${vType}>`,vType)}}}#createDeclaration(creator,key,...args){return this.#typeDeclarations.
get(key)||this.#typeDeclarations.set(key,creator(...args)).get(key)}findMacro(name,hasReceiver,argLen){return this.functionCandidates(
hasReceiver,name,argLen).macro}findUnaryOverload(op,left){return this.operatorCandidates(op).findUnaryOverload(left)}findBinaryOverload(op,left,right){
return this.operatorCandidates(op).findBinaryOverload(left,right)}#toCelFieldType(field){if(typeof field==="string")return{
type:field};if(field.id)return protobufjsFieldToCelType(field);return field}#toCelFieldDeclaration(typename,fields,k,requireKnownTypes=false){
try{const field=this.#toCelFieldType(fields[k]);if(typeof field?.type!=="string")throw new Error(`unsupported declaratio\
n`);return this.#parseTypeString(field.type,requireKnownTypes)}catch(e){e.message=`Field '${k}' in type '${typename}' ha\
s unsupported declaration: ${JSON.stringify(fields[k])}`;throw e}}#normalizeFields(typename,fields){if(!fields)return;const all=Object.
create(null);for(const k of objKeys(fields))all[k]=this.#toCelFieldDeclaration(typename,fields,k);return all}#createDefaultConvert(name,fields){
const keys=objKeys(fields);const conversions=Object.create(null);for(const k of keys){const type=fields[k];const decl=type.
kind==="message"&&this.objectTypes.get(type.name);if(decl===false)conversions[k]=false;else conversions[k]=decl.convert?
decl:false}const Ctor={[name]:class extends Map{#raw;constructor(v){super();this.#raw=v}[Symbol.iterator](){if(this.size!==
keys.length)for(const k of keys)this.get(k);return super[Symbol.iterator]()}get(field){let v=super.get(field);if(v!==void 0||
this.has(field))return v;const dec=conversions[field];if(dec===void 0)return;v=this.#raw instanceof Map?this.#raw.get(field):
this.#raw?.[field];if(dec&&v&&typeof v==="object"){switch(v.constructor){case void 0:case Object:case Map:v=dec.convert(
v)}}return super.set(field,v),v}}}[name];return{ctor:Ctor,convert(v){if(!v)return;if(v.constructor===Ctor)return v;return new Ctor(
v)}}}clone(opts){this.#locked=true;return new _Registry({parent:this,unlistedVariablesAreDyn:opts.unlistedVariablesAreDyn,
enableOptionalTypes:opts.enableOptionalTypes})}getDefinitions(){const variables=[];const functions=[];for(const[,varDecl]of this.
variables){if(!varDecl)continue;variables.push({name:varDecl.name,description:varDecl.description||null,type:varDecl.type.
name})}for(const decl of this.#getFunctions()){functions.push({signature:decl.signature,name:decl.name,description:decl.
description,receiverType:decl.receiverType?decl.receiverType.name:null,returnType:decl.returnType.name,params:decl.params.
map(p=>({name:p.name,type:p.type.name,description:p.description}))})}return{variables,functions}}#parseSignature(signature){
if(typeof signature!=="string")throw new Error("Invalid signature: must be a string");const match=signature.match(/^(?:([a-zA-Z0-9.<>]+)\.)?(\w+)\(([^)]*)\):(.*)$/);
if(!match)throw new Error(`Invalid signature: ${signature}`);const returnType=match[4].trim();if(!returnType)throw new Error(
`Invalid signature: ${signature}`);return{receiverType:match[1]||null,name:match[2],argTypes:splitByComma(match[3]),returnType}}#functionSignatureOverlaps(a,b){
if(a.name!==b.name)return false;if(a.argTypes.length!==b.argTypes.length)return false;if((a.receiverType||b.receiverType)&&
(!a.receiverType||!b.receiverType))return false;const isDifferentReceiver=a.receiverType!==b.receiverType&&a.receiverType!==
dynType&&b.receiverType!==dynType;return!isDifferentReceiver&&(b.macro||a.macro||b.argTypes.every((t,i)=>{const o=a.argTypes[i];
return t===o||t===dynType||o===dynType}))}#checkOverlappingSignatures(newDec){for(const decl of this.#functionCandidates(
newDec.partitionKey)){if(!this.#functionSignatureOverlaps(decl,newDec))continue;throw new Error(`Function signature '${newDec.
signature}' overlaps with existing overload '${decl.signature}'.`)}}#normalizeParam(i,aType,param){if(!param)return{type:this.
getFunctionType(aType),name:`arg${i}`,description:null};const type=param.type||aType;if(!type)throw new Error(`params[${i}\
].type is required`);if(aType&&type!==aType)throw new Error(`params[${i}].type not equal to signature type`);return{name:param.
name||`arg${i}`,type:this.getFunctionType(type),description:param.description??null}}registerFunctionOverload(s,handler,opts){
if(this.#locked)throw new Error("Cannot modify frozen registry");if(typeof s==="object")opts=s;else if(typeof handler===
"object")opts=handler;else if(!opts)opts={};const sig=typeof s==="string"?s:opts.signature??void 0;const parsed=sig!==void 0?
this.#parseSignature(sig):void 0;const name=parsed?.name||opts.name;const receiverType=parsed?.receiverType||opts.receiverType;
const argTypes=parsed?.argTypes;const returnType=parsed?.returnType||opts.returnType;const params=opts.params;handler=typeof handler===
"function"?handler:opts.handler;let dec;try{if(!name)throw new Error(`signature or name are required`);if(!returnType)throw new Error(
`must have a returnType`);if(params){if(argTypes&&params.length!==argTypes.length){throw new Error(`mismatched length in\
 params and args in signature`)}}else if(!argTypes)throw new Error(`signature or params are required`);dec=new FunctionDeclaration(
{name,async:opts?.async,receiverType:receiverType?this.getType(receiverType):null,returnType:this.getType(returnType),handler,
description:opts.description,params:(argTypes||params).map((_,i)=>this.#normalizeParam(i,argTypes?.[i],params?.[i]))})}catch(e){
if(typeof sig==="string")e.message=`Invalid function declaration '${sig}': ${e.message}`;else if(name)e.message=`Invalid\
 function declaration '${name}': ${e.message}`;else e.message=`Invalid function declaration: ${e.message}`;throw e}this.#checkOverlappingSignatures(
dec);this.#pushFunction(dec)}registerOperatorOverload(string,handler,opts){const unaryParts=string.match(/^([-!])([\w.<>]+)(?::\s*([\w.<>]+))?$/);
if(unaryParts){const[,op2,operandType,returnType2]=unaryParts;return this.unaryOverload(op2,operandType,handler,returnType2,
opts?.async)}const parts=string.match(/^([\w.<>]+) ([-+*%/]|==|!=|<|<=|>|>=|in) ([\w.<>]+)(?::\s*([\w.<>]+))?$/);if(!parts)
throw new Error(`Operator overload invalid: ${string}`);const[,leftType,op,rightType,returnType]=parts;return this.binaryOverload(
leftType,op,rightType,handler,returnType)}unaryOverload(op,typeStr,handler,returnTypeStr,async){if(this.#locked)throw new Error(
"Cannot modify frozen registry");const leftType=this.assertType(typeStr,"type",`${op}${typeStr}`);const returnType=this.
assertType(returnTypeStr||typeStr,"return type",`${op}${typeStr}: ${returnTypeStr||typeStr}`);const d=new OperatorDeclaration(
{op:`${op}_`,leftType,returnType,handler,async});this.#pushOperator(this.#assertOverload(d))}#hasOverload(d){for(const o of this.
operatorCandidates(d.operator))if(d.equals(o))return true;return false}#assertOverload(decl){if(!this.#hasOverload(decl))
return decl;throw new Error(`Operator overload already registered: ${decl.signature}`)}binaryOverload(leftTypeStr,op,rightTypeStr,handler,returnTypeStr,async){
if(this.#locked)throw new Error("Cannot modify frozen registry");returnTypeStr??=isRelational.has(op)?"bool":leftTypeStr;
const sig=`${leftTypeStr} ${op} ${rightTypeStr}: ${returnTypeStr}`;let leftType=this.assertType(leftTypeStr,"left type",
sig);let rightType=this.assertType(rightTypeStr,"right type",sig);const returnType=this.assertType(returnTypeStr,"return\
 type",sig);if(leftType.kind==="dyn"&&leftType.valueType)rightType=rightType.wrappedType;else if(rightType.kind==="dyn"&&
rightType.valueType)leftType=leftType.wrappedType;if(isRelational.has(op)&&returnType.type!=="bool"){throw new Error(`Co\
mparison operator '${op}' must return 'bool', got '${returnType.type}'`)}const dec=new OperatorDeclaration({op,leftType,
rightType,returnType,handler,async});if(dec.hasPlaceholderType&&!(rightType.hasPlaceholderType&&leftType.hasPlaceholderType)){
throw new Error(`Operator overload with placeholders must use them in both left and right types: ${sig}`)}this.#assertOverload(
dec);if(op==="=="){const declarations=[new OperatorDeclaration({op:"!=",leftType,rightType,handler(a,b,ast,ev){return!handler(
a,b,ast,ev)},returnType,async})];if(leftType!==rightType){declarations.push(new OperatorDeclaration({op:"==",leftType:rightType,
rightType:leftType,handler(a,b,ast,ev){return handler(b,a,ast,ev)},returnType,async}),new OperatorDeclaration({op:"!=",leftType:rightType,
rightType:leftType,handler(a,b,ast,ev){return!handler(b,a,ast,ev)},returnType,async}))}for(const decl of declarations)this.#assertOverload(
decl);for(const decl of declarations)this.#pushOperator(decl)}this.#pushOperator(dec)}};var isRelational=new Set(["<","<\
=",">",">=","==","!=","in"]);function createRegistry(opts){return new Registry(opts)}var RootContext=class{#vars;#contextObj;#contextMap;#convertCache;constructor(registry,context){
this.#vars=registry.variables;if(context===void 0||context===null)return;if(typeof context!=="object"){throw evaluationError(
"invalid_context","Context must be an object")}if(context instanceof Map)this.#contextMap=context;else this.#contextObj=
context}getValue(key){return this.#convertCache?.get(key)||(this.#contextObj?this.#contextObj[key]:this.#contextMap?.get(
key))}getVariable(name){return this.#vars.get(name)??(this.#vars.dyn&&!RESERVED.has(name)?new VariableDeclaration(name,dynType):
void 0)}getCheckedValue(ev,ast){const v=this.getValue(ast.args);if(v===void 0)throw ev.createError("unknown_variable",`U\
nknown variable: ${ast.args}`,ast);if(ast.checkedType.matchesValueType(v,ev))return v;const type=ast.checkedType;const valueType=ev.
debugType(v);if(type.kind==="message"&&valueType.kind==="map"){const c=ev.objectTypes.get(type.name)?.convert?.(v);if(c)
return(this.#convertCache??=new Map).set(ast.args,c),c}throw ev.createError("variable_type_mismatch",`Variable '${ast.args}\
' is not of type '${type}', got '${valueType}'`,ast)}forkWithVariable(iterVar,iterType){return new OverlayContext(this,iterVar,
iterType)}};var OverlayContext=class _OverlayContext{#parent;accuType;accuValue;iterValue;constructor(parent,iterVar,iterType){
this.#parent=parent;this.iterVar=iterVar;this.iterType=iterType}forkWithVariable(iterVar,iterType){return new _OverlayContext(
this,iterVar,iterType)}reuse(parent){if(!this.async)return this.#parent=parent,this;const ctx=new _OverlayContext(parent,
this.iterVar,this.iterType);ctx.accuType=this.accuType;return ctx}setIterValue(v,ev){if(this.iterType.matchesValueType(v,
ev))return this.iterValue=v,this;const type=this.iterType;const valueType=ev.debugType(v);if(type.kind==="message"&&valueType.
kind==="map"){const c=ev.objectTypes.get(type.name)?.convert?.(v);if(c)return this.iterValue=c,this}throw ev.createError(
"variable_type_mismatch",`Variable '${this.iterVar}' is not of type '${type}', got '${valueType}'`)}setAccuType(type){return this.
accuType=type,this}setAccuValue(v){return this.accuValue=v,this}getValue(key){return this.iterVar===key?this.iterValue:this.#parent.
getValue(key)}getCheckedValue(ev,ast){if(this.iterVar===ast.args)return this.iterValue;return this.#parent.getCheckedValue(
ev,ast)}getVariable(name){if(this.iterVar===name)return new VariableDeclaration(name,this.iterType);return this.#parent.
getVariable(name)}};function protobufjsFieldToCelType(field){let fieldType;if(field.map){const keyType=protobufjsTypeToCelType(
field.keyType,field.resolvedKeyType);const valueType=protobufjsTypeToCelType(field.type,field.resolvedType);fieldType=`m\
ap<${keyType}, ${valueType}>`}else{fieldType=protobufjsTypeToCelType(field.type,field.resolvedType)}return{type:field.repeated?
`list<${fieldType}>`:fieldType}}function protobufjsTypeToCelType(protoType,resolvedType){switch(protoType){case"string":
return"string";case"bytes":return"bytes";case"bool":return"bool";case"double":case"float":case"int32":case"int64":case"s\
int32":case"sint64":case"sfixed32":case"sfixed64":case"uint32":case"uint64":case"fixed32":case"fixed64":return"double";default:
switch(resolvedType?.constructor.name){case"Type":return resolvedType.fullName.slice(1);case"Enum":return"int"}if(protoType?.
includes("."))return protoType;return"dyn"}}var dynType2=celTypes.dyn;var Base=class{dynType=celTypes.dyn;optionalType=celTypes.optional;stringType=celTypes.string;intType=celTypes.
int;doubleType=celTypes.double;boolType=celTypes.bool;nullType=celTypes.null;listType=celTypes.list;mapType=celTypes.map;constructor(opts){
this.opts=opts.opts;this.registry=opts.registry;this.objectTypes=this.registry.objectTypes;this.objectTypesByConstructor=
this.registry.objectTypesByConstructor}getType(typeName){return this.registry.getType(typeName)}debugType(v){switch(typeof v){case"\
string":return this.stringType;case"bigint":return this.intType;case"number":return this.doubleType;case"boolean":return this.
boolType;case"object":if(v===null)return this.nullType;switch(v.constructor){case void 0:case Object:case Map:return this.
mapType;case Array:case Set:return this.listType;default:return this.objectTypesByConstructor.get(v.constructor)?.type||
unsupportedType(this,v.constructor?.name||typeof v)}default:unsupportedType(this,typeof v)}}};function unsupportedType(self,type){
throw self.createError("unsupported_type",`Unsupported type: ${type}`)}var maybeAsyncArray=a=>Array.isArray(a)?a.some(n=>n.
maybeAsync):false;function maybeAsync(l,r,h){if(r===true||r&&(r?.maybeAsync||maybeAsyncArray(r)))return maybeAsyncBoth(h);
if(l===true||l&&(l?.maybeAsync||maybeAsyncArray(l)))return maybeAsyncFirst(h);return h}function maybeAsyncBoth(handler){
return handler.__asyncBoth??=function handle(a,b,c,d){if(!(a instanceof Promise||b instanceof Promise))return handler(a,
b,c,d);if(!(b instanceof Promise))return a.then(_a=>handler(_a,b,c,d));if(!(a instanceof Promise))return b.then(_b=>handler(
a,_b,c,d));return Promise.all([a,b]).then(p=>handler(p[0],p[1],c,d))}}function maybeAsyncFirst(handler){return handler.__asyncFirst??=
function handle(a,b,c,d){if(a instanceof Promise)return a.then(_a=>handler(_a,b,c,d));return handler(a,b,c,d)}}function checkAccessNode(chk,ast,ctx){
ast.right=ast.args[1];const leftType=chk.check(ast.left=ast.args[0],ctx);if(ast.op==="[]")chk.check(ast.right,ctx);ast.handle=
maybeAsync(ast.left,ast.op==="[]"?ast.right:false,leftType!==dynType2?fieldAccessStatic:fieldAccess);if(leftType.kind!==
"optional")return chk.checkAccessOnType(ast,ctx,leftType);return chk.registry.getOptionalType(chk.checkAccessOnType(ast,
ctx,leftType.valueType,true))}function checkOptionalAccessNode(chk,ast,ctx){ast.right=ast.args[1];const leftType=chk.check(
ast.left=ast.args[0],ctx);if(ast.op==="[?]")chk.check(ast.right,ctx);ast.handle=maybeAsync(ast.left,ast.op==="[?]"?ast.right:
false,oFieldAccess);const actualType=leftType.kind==="optional"?leftType.valueType:leftType;return chk.registry.getOptionalType(
chk.checkAccessOnType(ast,ctx,actualType,true))}var HOMOGENEOUS_PREFIX={heterogeneous_list_element:"List elements must h\
ave the same type,",heterogeneous_map_key:"Map key uses wrong type,",heterogeneous_map_value:"Map value uses wrong type,"};
function checkElementHomogenous(chk,ctx,expected,el,code){const type=chk.check(el,ctx);if(type===expected||expected.isEmpty())
return type;if(type.isEmpty())return expected;throw chk.createError(code,`${HOMOGENEOUS_PREFIX[code]} expected type '${chk.
formatType(expected)}' but found '${chk.formatType(type)}'`,el)}function checkElement(chk,ctx,expected,el){return expected.
unify(chk.registry,chk.check(el,ctx))||dynType2}function ternaryConditionError(ev,value,node){const type=ev.debugRuntimeType(
value);return ev.createError("invalid_condition_type",`${node.meta.label||"Ternary condition must be bool"}, got '${type}\
'`,node)}function handleTernary(c,ev,ast,ctx){if(c===true)return ev.run(ast.left,ctx);if(c===false)return ev.run(ast.right,
ctx);throw ternaryConditionError(ev,c,ast.condition)}function logicalOperandError(ev,value,node){const type=ev.debugRuntimeType(
value);return ev.createError("invalid_logical_operand",`Logical operator requires bool operands, got '${type}'`,node)}function logicalValueOrErr(ev,v,node){
if(v instanceof Error)return v;return logicalOperandError(ev,v,node)}function _logicalOp(exp,ev,ast,left,right){if(right===
exp)return exp;if(right===!exp){if(left===right)return right;throw logicalValueOrErr(ev,left,ast.left)}if(right instanceof
Promise)return right.then(r=>_logicalOpAsync(exp,ev,ast,left,r));throw logicalOperandError(ev,right,ast.left)}function _logicalOpAsync(exp,ev,ast,left,right){
if(right===exp)return exp;if(typeof right!=="boolean")throw logicalOperandError(ev,right,ast.right);if(typeof left!=="bo\
olean")throw logicalValueOrErr(ev,left,ast.left);return!exp}function checkLogicalOp(chk,ast,ctx){const leftType=chk.check(
ast.left=ast.args[0],ctx);const rightType=chk.check(ast.right=ast.args[1],ctx);if(!leftType.isDynOrBool()){throw chk.createError(
"invalid_logical_operand",`Logical operator requires bool operands, got '${chk.formatType(leftType)}'`,ast)}if(!rightType.
isDynOrBool()){throw chk.createError("invalid_logical_operand",`Logical operator requires bool operands, got '${chk.formatType(
rightType)}'`,ast)}return chk.boolType}function checkUnary(chk,ast,ctx){const op=ast.op;const right=chk.check(ast.args,ctx);
ast.candidates=chk.registry.operatorCandidates(op);if(right.kind==="dyn"){ast.handle=maybeAsync(ast.args,false,handleUnary);
return ast.candidates.returnType}const overload=ast.candidates.findUnaryOverload(right);if(!overload){throw chk.createError(
"no_such_overload",`no such overload: ${op[0]}${chk.formatType(right)}`,ast)}ast.handle=maybeAsync(ast.args,false,overload.
handler);return overload.returnType}function handleUnary(left,ast,ev){const leftType=ev.debugRuntimeType(left,ast.args.checkedType);
const overload=ast.candidates.findUnaryOverload(leftType);if(overload)return overload.handler(left);throw ev.createError(
"no_such_overload",`no such overload: ${ast.op[0]}${leftType}`,ast)}function evaluateUnary(ev,ast,ctx){return ast.handle(
ev.run(ast.args,ctx),ast,ev)}function checkBinary(chk,ast,ctx){const op=ast.op;const left=chk.check(ast.left=ast.args[0],
ctx);const right=chk.check(ast.right=ast.args[1],ctx);ast.candidates=chk.registry.operatorCandidates(op);const overload=left.
hasDynType||right.hasDynType?void 0:ast.candidates.findBinaryOverload(left,right);ast.handle=maybeAsync(ast.left,ast.right,
overload?.handler||handleBinary);if(overload)return overload.returnType;const type=ast.candidates.checkBinaryOverload(left,
right);if(!left.hasDynType)ast.leftStaticType=left;if(!right.hasDynType)ast.rightStaticType=right;if(type)return type;throw chk.
createError("no_such_overload",`no such overload: ${chk.formatType(left)} ${op} ${chk.formatType(right)}`,ast)}function evaluateBinary(ev,ast,ctx){
return ast.handle(ev.run(ast.left,ctx),ev.run(ast.right,ctx),ast,ev)}function evaluateBinaryFirst(ev,ast,ctx){return ast.
handle(ev.run(ast.left,ctx),ast.right,ast,ev)}function handleBinary(left,right,ast,ev){const leftType=ast.leftStaticType||
ev.debugTypeDeep(left).wrappedType;const rightType=ast.rightStaticType||ev.debugTypeDeep(right).wrappedType;const overload=ast.
candidates.findBinaryOverload(leftType,rightType);if(overload)return overload.handler(left,right,ast,ev);throw ev.createError(
"no_such_overload",`no such overload: ${leftType} ${ast.op} ${rightType}`,ast)}function callFunctionHandler(handler,ev,args,ast){
try{const result=handler.apply(ev,args);if(result instanceof Promise){return result.catch(error=>{throw attachErrorAst(error,
ast)})}return result}catch(error){throw attachErrorAst(error,ast)}}function callFn(args,ast,ev){const argAst=ast.args[1];
const types=ast.argTypes;let i=argAst.length;while(i--)types[i]=ev.debugRuntimeType(args[i],argAst[i].checkedType);const decl=ast.
candidates.findFunction(types);if(decl)return callFunctionHandler(decl.handler,ev,args,ast);throw ev.createError("no_mat\
ching_overload",`found no matching overload for '${ast.args[0]}(${types.map(t=>t.unwrappedType).join(", ")})'`,ast)}function callRecFn(args,ev,ast){
const[,receiverAst,argAst]=ast.args;const types=ast.argTypes;for(let i=0;i<types.length;i++)types[i]=ev.debugRuntimeType(
args[i+1],argAst[i].checkedType);const receiverType=ev.debugRuntimeType(args[0],receiverAst.checkedType);const decl=ast.
candidates.findFunction(types,receiverType);if(decl)return callFunctionHandler(decl.handler,ev,args,ast);throw ev.createError(
"no_matching_overload",`found no matching overload for '${receiverType.type}.${ast.args[0]}(${types.map(t=>t.unwrappedType).
join(", ")})'`,ast)}function resolveAstArray(ev,astArray,ctx,i=astArray.length){if(i===0)return[];let async;const results=new Array(
i);while(i--)if((results[i]=ev.run(astArray[i],ctx))instanceof Promise)async??=true;return async?Promise.all(results):results}
function safeFromEntries(entries){const obj={};for(let i=0;i<entries.length;i++){const[k,v]=entries[i];if(k==="__proto__"||
k==="constructor"||k==="prototype")continue;obj[k]=v}return obj}function comprehensionElementType(chk,iterable,ctx){const iterType=chk.
check(iterable,ctx);if(iterType.kind==="dyn")return iterType;if(iterType.kind==="list")return iterType.valueType;if(iterType.
kind==="map")return iterType.keyType;throw chk.createError("invalid_comprehension_range",`Expression of type '${chk.formatType(
iterType)}' cannot be range of a comprehension (must be list, map, or dynamic).`,iterable)}function toIterable(ev,args,coll){
if(coll instanceof Set)return[...coll];if(coll instanceof Map)return[...coll.keys()];if(coll&&typeof coll==="object")return objKeys(
coll);throw ev.createError("invalid_comprehension_range",`Expression of type '${ev.debugType(coll)}' cannot be range of \
a comprehension (must be list, map, or dynamic).`,args.iterable)}function runQualifier(items,args,ev,ctx){if(!isArray(items))
items=toIterable(ev,args,items);const accu=ev.run(args.init,ctx=args.iterCtx.reuse(ctx));ctx.accuValue=accu;if(ctx===args.
iterCtx)return iterateQuantifier(ev,ctx,args,items,accu,0);return continueQuantifier(ev,ctx,args,items,accu,0)}function runComprehension(items,args,ev,ctx){
if(!isArray(items))items=toIterable(ev,args,items);const accu=ev.run(args.init,ctx=args.iterCtx.reuse(ctx));ctx.accuValue=
accu;if(ctx===args.iterCtx)return iterateLoop(ev,ctx,args,items,accu,0);return continueLoop(ev,ctx,args,items,accu,0)}function iterateLoop(ev,ctx,args,items,accu,i){
const condition=args.condition;const step=args.step;const len=items.length;while(i<len){if(condition&&!condition(accu))break;
accu=ev.run(step,ctx.setIterValue(items[i++],ev));if(accu instanceof Promise)return continueLoop(ev,ctx,args,items,accu,
i)}return args.result(accu)}async function continueLoop(ev,ctx,args,items,accu,i){if(ctx===args.iterCtx)ctx.async=true;const condition=args.
condition;const step=args.step;const len=items.length;accu=await accu;while(i<len){if(condition&&!condition(accu))return args.
result(accu);accu=ev.run(step,ctx.setIterValue(items[i++],ev));if(accu instanceof Promise)accu=await accu}return args.result(
accu)}function iterateQuantifier(ev,ctx,args,items,accu,i,error,stp){const condition=args.condition;const step=args.step;
const len=items.length;while(i<len){if(!condition(accu))return args.result(accu);stp=ev.tryEval(step,ctx.setIterValue(items[i++],
ev));if(stp instanceof Promise)return continueQuantifier(ev,ctx,args,items,accu,i,error,stp);if(stp instanceof Error&&(error??=
stp))continue;accu=stp}if(error&&condition(accu))throw error;return args.result(accu)}async function continueQuantifier(ev,ctx,args,items,accu,i,error,stp){
if(ctx===args.iterCtx)ctx.async=true;const condition=args.condition;const step=args.step;const len=items.length;stp=await stp;
if(stp instanceof Error)error??=stp;else accu=stp;while(i<len){if(!condition(accu))return args.result(accu);stp=ev.tryEval(
step,ctx.setIterValue(items[i++],ev));if(stp instanceof Promise)stp=await stp;if(stp instanceof Error&&(error??=stp))continue;
accu=stp}if(error&&condition(accu))throw error;return args.result(accu)}function oFieldAccess(left,right,ast,ev){return ev.
optionalType.field(left,right,ast,ev)}function fieldAccessStatic(left,right,ast,ev){return ast.left.checkedType.field(left,
right,ast,ev)}var empty=Object.create(null);function fieldAccess(left,right,ast,ev){switch(left?.constructor){case void 0:case Object:{
const v=hasOwn(left||empty,right)?left[right]:void 0;if(v!==void 0)return ev.debugType(v),v;break}case Map:{const v=left.
get(right);if(v!==void 0)return ev.debugType(v),v;break}case Array:case Set:return ev.listType.field(left,right,ast,ev);default:
const t=ev.objectTypesByConstructor.get(left.constructor);if(t)return t.type.field(left,right,ast,ev);else if(typeof left===
"object")unsupportedType(ev,left.constructor.name)}throw ev.createError("no_such_key",`No such key: ${right}`,ast)}var emptyList=()=>[];
var emptyMap=()=>({});var OPERATORS={value:{check(chk,ast){return chk.debugType(ast.args)},evaluate(_ev,ast){return ast.
args}},id:{check(chk,ast,ctx){const variable=ctx.getVariable(ast.args);if(!variable)throw chk.createError("unknown_varia\
ble",`Unknown variable: ${ast.args}`,ast);if(variable.constant){const alternate=ast.clone(OPERATORS.value,variable.value);
ast.setMeta("alternate",alternate);return chk.check(alternate,ctx)}return variable.type},evaluate(ev,ast,ctx){return ctx.
getCheckedValue(ev,ast)}},".":{alias:"fieldAccess",check:checkAccessNode,evaluate:evaluateBinaryFirst},".?":{alias:"opti\
onalFieldAccess",check:checkOptionalAccessNode,evaluate:evaluateBinaryFirst},"[]":{alias:"bracketAccess",check:checkAccessNode,
evaluate:evaluateBinary},"[?]":{alias:"optionalBracketAccess",check:checkOptionalAccessNode,evaluate:evaluateBinary},call:{
check(chk,ast,ctx){const[functionName,args]=ast.args;const candidates=ast.candidates=chk.registry.functionCandidates(false,
functionName,args.length);const argTypes=ast.argTypes=args.map(a=>chk.check(a,ctx));const decl=candidates.findFunction(argTypes);
if(!decl){throw chk.createError("no_matching_overload",`found no matching overload for '${functionName}(${chk.formatTypeList(
argTypes)})'`,ast)}const handle=argTypes.some(t=>t.hasDynType)?callFn:decl.handler.__handle??=(l,_ast,e)=>callFunctionHandler(
decl.handler,e,l,_ast);ast.handle=maybeAsync(args,false,handle);return decl.returnType},evaluate(ev,ast,ctx){return ast.
handle(resolveAstArray(ev,ast.args[1],ctx),ast,ev)}},rcall:{check(chk,ast,ctx){const[methodName,receiver,args]=ast.args;
const receiverType=chk.check(receiver,ctx);const candidates=ast.candidates=chk.registry.functionCandidates(true,methodName,
args.length);const argTypes=ast.argTypes=args.map(a=>chk.check(a,ctx));ast.receiverWithArgs=[receiver,...args];ast.handle=
maybeAsync(ast.receiverWithArgs,false,callRecFn);if(receiverType.kind==="dyn"&&candidates.returnType)return candidates.returnType;
const decl=candidates.findFunction(argTypes,receiverType);if(!decl){throw chk.createError("no_matching_overload",`found \
no matching overload for '${receiverType.type}.${methodName}(${chk.formatTypeList(argTypes)})'`,ast)}if(!receiverType.hasPlaceholderType&&
!argTypes.some(t=>t.hasDynType)){const fn=decl.handler;const handle=fn.__handle??=(a,ev,_ast)=>callFunctionHandler(fn,ev,
a,_ast);ast.handle=maybeAsync(ast.receiverWithArgs,false,handle)}return decl.returnType},evaluate(ev,ast,ctx){return ast.
handle(resolveAstArray(ev,ast.receiverWithArgs,ctx),ev,ast)}},list:{check(chk,ast,ctx){const arr=ast.args;const arrLen=arr.
length;if(arrLen===0)return ast.setMeta("evaluate",emptyList)&&chk.getType("list<T>");let valueType=chk.check(arr[0],ctx);
const check2=chk.opts.homogeneousAggregateLiterals?checkElementHomogenous:checkElement;for(let i=1;i<arrLen;i++)valueType=
check2(chk,ctx,valueType,arr[i],"heterogeneous_list_element");return chk.registry.getListType(valueType)},evaluate(ev,ast,ctx){
return resolveAstArray(ev,ast.args,ctx)}},map:{check(chk,ast,ctx){const arr=ast.args;const arrLen=arr.length;if(arrLen===
0)return ast.setMeta("evaluate",emptyMap)&&chk.getType("map<K, V>");const check2=chk.opts.homogeneousAggregateLiterals?checkElementHomogenous:
checkElement;let keyType=chk.check(arr[0][0],ctx);let valueType=chk.check(arr[0][1],ctx);for(let i=1;i<arrLen;i++){const e=arr[i];
keyType=check2(chk,ctx,keyType,e[0],"heterogeneous_map_key");valueType=check2(chk,ctx,valueType,e[1],"heterogeneous_map_\
value")}return chk.registry.getMapType(keyType,valueType)},evaluate(ev,ast,ctx){const astEntries=ast.args;const len=astEntries.
length;const results=new Array(len);let async;for(let i=0;i<len;i++){const e=astEntries[i];const k=ev.run(e[0],ctx);const v=ev.
run(e[1],ctx);if(k instanceof Promise||v instanceof Promise){results[i]=Promise.all([k,v]);async??=true}else{results[i]=
[k,v]}}if(async)return Promise.all(results).then(safeFromEntries);return safeFromEntries(results)}},comprehension:{check(chk,ast,ctx){
const args=ast.args;args.iterCtx=ctx.forkWithVariable(args.iterVarName,comprehensionElementType(chk,args.iterable,ctx)).
setAccuType(chk.check(args.init,ctx));const stepType=chk.check(args.step,args.iterCtx);const handler=args.errorsAreFatal?
runComprehension:runQualifier;ast.handle=maybeAsync(args.iterable,false,handler);if(args.kind==="quantifier")return chk.
boolType;return stepType},evaluate(ev,ast,ctx){return ast.handle(ev.run(ast.args.iterable,ctx),ast.args,ev,ctx)}},accuValue:{
check(_chk,_ast,ctx){return ctx.accuType},evaluate(_ev,_ast,ctx){return ctx.accuValue}},accuInc:{check(_chk,_ast,ctx){return ctx.
accuType},evaluate(_ev,_ast,ctx){return ctx.accuValue+=1}},accuPush:{check(chk,ast,ctx){const listType2=ctx.accuType;const itemType=chk.
check(ast.args,ctx);if(!ast.args.maybeAsync)ast.setMeta("evaluate",OPERATORS.accuPush.evaluateSync);if(listType2.kind===
"list"&&listType2.valueType.kind!=="param")return listType2;return chk.registry.getListType(itemType)},evaluateSync(ev,ast,ctx){
return ctx.accuValue.push(ev.run(ast.args,ctx)),ctx.accuValue},evaluate(ev,ast,ctx){const arr=ctx.accuValue;const el=ev.
run(ast.args,ctx);if(el instanceof Promise)return el.then(_e=>arr.push(_e)&&arr);arr.push(el);return arr}},"?:":{alias:"\
ternary",check(chk,ast,ctx){const condast=ast.condition=ast.args[0];const leftast=ast.left=ast.args[1];const rightast=ast.
right=ast.args[2];const condType=chk.check(condast,ctx);if(!condType.isDynOrBool()){throw chk.createError("invalid_condi\
tion_type",`${condast.meta.label||"Ternary condition must be bool"}, got '${chk.formatType(condType)}'`,condast)}const leftType=chk.
check(leftast,ctx);const rightType=chk.check(rightast,ctx);const unified=leftType.unify(chk.registry,rightType);ast.handle=
maybeAsync(condast,false,handleTernary);if(unified)return unified;throw chk.createError("incompatible_ternary_branches",
`Ternary branches must have the same type, got '${chk.formatType(leftType)}' and '${chk.formatType(rightType)}'`,ast)},evaluate(ev,ast,ctx){
return ast.handle(ev.run(ast.condition,ctx),ev,ast,ctx)}},"||":{check:checkLogicalOp,evaluate(ev,ast,ctx){const l=ev.tryEval(
ast.left,ctx);if(l===true)return true;if(l===false){const right=ev.run(ast.right,ctx);if(typeof right==="boolean")return right;
return _logicalOp(true,ev,ast,l,right)}if(l instanceof Promise)return l.then(_l=>_l===true?_l:_logicalOp(true,ev,ast,_l,
ev.run(ast.right,ctx)));return _logicalOp(true,ev,ast,l,ev.run(ast.right,ctx))}},"&&":{check:checkLogicalOp,evaluate(ev,ast,ctx){
const l=ev.tryEval(ast.left,ctx);if(l===false)return false;if(l===true){const right=ev.run(ast.right,ctx);if(typeof right===
"boolean")return right;return _logicalOp(false,ev,ast,l,right)}if(l instanceof Promise)return l.then(_l=>_l===false?_l:_logicalOp(
false,ev,ast,_l,ev.run(ast.right,ctx)));return _logicalOp(false,ev,ast,l,ev.run(ast.right,ctx))}},"!_":{alias:"unaryNot",
check:checkUnary,evaluate:evaluateUnary},"-_":{alias:"unaryMinus",check:checkUnary,evaluate:evaluateUnary}};var binaryOperators=[
"!=","==","in","+","-","*","/","%","<","<=",">",">="];for(const op of binaryOperators)OPERATORS[op]={check:checkBinary,evaluate:evaluateBinary};
for(const op of objKeys(OPERATORS)){const obj=OPERATORS[op];obj.name=op;if(obj.alias)OPERATORS[obj.alias]=obj}var identity=x=>x;function assertIdentifier(node,message){if(node.op==="id")return node.args;throw parseError("invalid_m\
acro_argument",message,node)}function createMapExpander(hasFilter){const functionDesc=hasFilter?"map(var, filter, transf\
orm)":"map(var, transform)";const invalidMsg=`${functionDesc} invalid predicate iteration variable`;const label=`${functionDesc}\
 filter predicate must return bool`;return({args,receiver,ast:callAst})=>{const[iterVar,predicate,transform]=hasFilter?args:
[args[0],null,args[1]];let step=transform.clone(OPERATORS.accuPush,transform);if(predicate){const accuValue=predicate.clone(
OPERATORS.accuValue);step=predicate.clone(OPERATORS.ternary,[predicate.setMeta("label",label),step,accuValue])}return{callAst:callAst.
clone(OPERATORS.comprehension,{errorsAreFatal:true,iterable:receiver,iterVarName:assertIdentifier(iterVar,invalidMsg),init:callAst.
clone(OPERATORS.list,[]),step,result:identity})}}}function createFilterExpander(){const functionDesc="filter(var, predic\
ate)";const invalidMsg=`${functionDesc} invalid predicate iteration variable`;const label=`${functionDesc} predicate mus\
t return bool`;return({args,receiver,ast:callAst})=>{const iterVarName=assertIdentifier(args[0],invalidMsg);const accuValue=callAst.
clone(OPERATORS.accuValue);const predicate=args[1].setMeta("label",label);const appendItem=callAst.clone(OPERATORS.accuPush,
callAst.clone(OPERATORS.id,iterVarName));const step=predicate.clone(OPERATORS.ternary,[predicate,appendItem,accuValue]);
return{callAst:callAst.clone(OPERATORS.comprehension,{errorsAreFatal:true,iterable:receiver,iterVarName,init:callAst.clone(
OPERATORS.list,[]),step,result:identity})}}}function createQuantifierExpander(opts){const invalidMsg=`${opts.name}(var, \
predicate) invalid predicate iteration variable`;const label=`${opts.name}(var, predicate) predicate must return bool`;return({
args,receiver,ast:callAst})=>{const predicate=args[1].setMeta("label",label);const transform=opts.transform({args,ast:callAst,
predicate,opts});return{callAst:callAst.clone(OPERATORS.comprehension,{kind:"quantifier",errorsAreFatal:opts.errorsAreFatal||
false,iterable:receiver,iterVarName:assertIdentifier(args[0],invalidMsg),init:transform.init,condition:transform.condition,
step:transform.step,result:transform.result||identity})}}}function createHasExpander(){const invalidHasArgument="has() i\
nvalid argument";function evaluate2(ev,macro,ctx){const nodes=macro.macroHasProps;let i=nodes.length;let obj=ev.run(nodes[--i],
ctx);let inOptionalContext;while(i--){const node=nodes[i];if(node.op===".?")inOptionalContext??=true;obj=ev.debugType(obj).
fieldLazy(obj,node.args[1],node,ev);if(obj!==void 0)continue;if(!(!inOptionalContext&&i&&node.op==="."))break;throw evaluationError(
"no_such_key",`No such key: ${node.args[1]}`,node)}return obj!==void 0}function typeCheck(checker,macro,ctx){let node=macro.
args[0];if(node.op!==".")throw checker.createError("invalid_macro_argument",invalidHasArgument,node);if(!macro.macroHasProps){
const props=[];while(node.op==="."||node.op===".?")node=props.push(node)&&node.args[0];if(node.op!=="id")throw checker.createError(
"invalid_macro_argument",invalidHasArgument,node);checker.check(node,ctx);props.push(node);macro.macroHasProps=props}return checker.
getType("bool")}return function({args}){return{args,evaluate:evaluate2,typeCheck,async:false}}}function registerMacros(registry){
const functionOverload=(sig,handler)=>registry.registerFunctionOverload(sig,handler);functionOverload("has(ast): bool",createHasExpander());
functionOverload("list.all(ast, ast): bool",createQuantifierExpander({name:"all",transform({ast:callAst,predicate,opts}){
return{init:callAst.clone(OPERATORS.value,true),condition:identity,step:predicate.clone(OPERATORS.ternary,[predicate,predicate.
clone(OPERATORS.value,true),predicate.clone(OPERATORS.value,false)])}}}));functionOverload("list.exists(ast, ast): bool",
createQuantifierExpander({name:"exists",condition(accu){return!accu},transform({ast:callAst,predicate,opts}){return{init:callAst.
clone(OPERATORS.value,false),condition:opts.condition,step:predicate.clone(OPERATORS.ternary,[predicate,predicate.clone(
OPERATORS.value,true),predicate.clone(OPERATORS.value,false)])}}}));functionOverload("list.exists_one(ast, ast): bool",createQuantifierExpander(
{name:"exists_one",errorsAreFatal:true,result(accu){return accu===1},transform({ast:callAst,predicate,opts}){const accuValue=callAst.
clone(OPERATORS.accuValue);return{init:callAst.clone(OPERATORS.value,0),step:predicate.clone(OPERATORS.ternary,[predicate,
callAst.clone(OPERATORS.accuInc),accuValue]),result:opts.result}}}));functionOverload("list.map(ast, ast): list<dyn>",createMapExpander(
false));functionOverload("list.map(ast, ast, ast): list<dyn>",createMapExpander(true));functionOverload("list.filter(ast\
, ast): list<dyn>",createFilterExpander());class CelNamespace{}const celNamespace=new CelNamespace;registry.registerType(
"CelNamespace",CelNamespace);registry.registerConstant("cel","CelNamespace",celNamespace);function bindTypeCheck(checker,m,ctx){
m.bindCtx=ctx.forkWithVariable(m.var,checker.check(m.val,ctx));const type=checker.check(m.exp,m.bindCtx);if(m.val.maybeAsync||
m.exp.maybeAsync)return type;m.ast.setMeta("async",false);m.evaluate=bindEvaluateSync;return type}function bindOptionalEvaluate(ev,exp,bindCtx,ctx,boundValue){
const res=ev.run(exp,ctx=bindCtx.reuse(ctx).setIterValue(boundValue,ev));if(res instanceof Promise&&ctx===bindCtx)ctx.async=
true;return res}function bindEvaluate(ev,{val,exp,bindCtx},ctx){const v=ev.run(val,ctx);if(v instanceof Promise)return v.
then(_v=>bindOptionalEvaluate(ev,exp,bindCtx,ctx,_v));return bindOptionalEvaluate(ev,exp,bindCtx,ctx,v)}function bindEvaluateSync(ev,{
val,exp,bindCtx},ctx){return ev.run(exp,bindCtx.reuse(ctx).setIterValue(ev.run(val,ctx),ev))}functionOverload("CelNamesp\
ace.bind(ast, dyn, ast): dyn",({ast,args})=>{return{ast,var:assertIdentifier(args[0],"invalid variable argument"),val:args[1],
exp:args[2],bindCtx:void 0,typeCheck:bindTypeCheck,evaluate:bindEvaluate}})}function registerOverloads(registry){const unaryOverload=(op,t,h,ret)=>registry.unaryOverload(op,t,h,ret,false);const binaryOverload=(l,op,r,h,ret)=>registry.
binaryOverload(l,op,r,h,ret,false);function verifyInteger(v,ast){if(v<=MAX_INT&&v>=MIN_INT)return v;throw evaluationError(
"numeric_overflow",`integer overflow: ${v}`,ast)}function throwDivisionByZero(ast){throw evaluationError("division_by_ze\
ro","division by zero",ast)}function throwModuloByZero(ast){throw evaluationError("modulo_by_zero","modulo by zero",ast)}
unaryOverload("!","bool",a=>!a);unaryOverload("-","int",a=>-a);binaryOverload("dyn<int>",`==`,`double`,(a,b)=>a==b);binaryOverload(
"dyn<int>",`==`,`uint`,(a,b)=>a==b.valueOf());binaryOverload("int","*","int",(a,b,ast)=>verifyInteger(a*b,ast));binaryOverload(
"int","+","int",(a,b,ast)=>verifyInteger(a+b,ast));binaryOverload("int","-","int",(a,b,ast)=>verifyInteger(a-b,ast));binaryOverload(
"int","/","int",(a,b,ast)=>{if(b===MIN_UINT)return throwDivisionByZero(ast);return a/b});binaryOverload("int","%","int",
(a,b,ast)=>{if(b===MIN_UINT)return throwModuloByZero(ast);return a%b});unaryOverload("-","double",a=>-a);binaryOverload(
"double","*","double",(a,b)=>a*b);binaryOverload("double","+","double",(a,b)=>a+b);binaryOverload("double","-","double",
(a,b)=>a-b);binaryOverload("double","/","double",(a,b)=>a/b);binaryOverload("string","+","string",(a,b)=>a+b);binaryOverload(
"list<V>","+","list<V>",(a,b)=>[...a,...b]);binaryOverload("bytes","+","bytes",(a,b)=>{if(!a.length)return b;if(!b.length)
return a;const result=new Uint8Array(a.length+b.length);result.set(a,0);result.set(b,a.length);return result});const GPD="\
google.protobuf.Duration";binaryOverload(GPD,"+",GPD,(a,b)=>a.addDuration(b));binaryOverload(GPD,"-",GPD,(a,b)=>a.subtractDuration(
b));binaryOverload(GPD,"==",GPD,(a,b)=>a.seconds===b.seconds&&a.nanos===b.nanos);const GPT="google.protobuf.Timestamp";binaryOverload(
GPT,"==",GPT,(a,b)=>a.getTime()===b.getTime());binaryOverload(GPT,"-",GPT,(a,b)=>Duration.fromMilliseconds(a.getTime()-b.
getTime()),GPD);binaryOverload(GPT,"-",GPD,(a,b)=>b.subtractTimestamp(a));binaryOverload(GPT,"+",GPD,(a,b)=>b.extendTimestamp(
a));binaryOverload(GPD,"+",GPT,(a,b)=>a.extendTimestamp(b));function listIncludes(value,list,ast,ev){if(list instanceof Set&&
list.has(value))return true;for(const v of list)if(isEqual(value,v,ast,ev))return true;return false}function mapIncludes(a,b){
if(b instanceof Map)return b.get(a)!==void 0;return hasOwn(b,a)?b[a]!==void 0:false}function listMembership(value,list,ast,ev){
return listIncludes(value,list,ast,ev)}binaryOverload("V","in","list<V>",listMembership);binaryOverload("K","in","map<K,\
 V>",mapIncludes);for(const t of["type","null","bool","string","int","double"]){binaryOverload(t,"==",t,(a,b)=>a===b)}binaryOverload(
"bytes",`==`,"bytes",(a,b)=>{if(a===b)return true;let i=a.length;if(i!==b.length)return false;while(i--)if(a[i]!==b[i])return false;
return true});binaryOverload("list<V>",`==`,"list<V>",(a,b,ast,ev)=>{if(a===b)return true;if(isArray(a)&&isArray(b)){const length=a.
length;if(length!==b.length)return false;for(let i=0;i<length;i++){if(!isEqual(a[i],b[i],ast,ev))return false}return true}
if(a instanceof Set&&b instanceof Set){if(a.size!==b.size)return false;for(const value of a)if(!b.has(value))return false;
return true}const arr=a instanceof Set?b:a;const set=a instanceof Set?a:b;if(!isArray(arr))return false;if(arr.length!==
set?.size)return false;for(let i=0;i<arr.length;i++)if(!set.has(arr[i]))return false;return true});binaryOverload("map<K\
, V>",`==`,"map<K, V>",(a,b,ast,ev)=>{if(a===b)return true;if(a instanceof Map&&b instanceof Map){if(a.size!==b.size)return false;
for(const[key,value]of a)if(!(b.has(key)&&isEqual(value,b.get(key),ast,ev)))return false;return true}if(a instanceof Map||
b instanceof Map){const obj=a instanceof Map?b:a;const map=a instanceof Map?a:b;const keysObj=objKeys(obj);if(map.size!==
keysObj.length)return false;for(const[key,value]of map){if(!(key in obj&&isEqual(value,obj[key],ast,ev)))return false}return true}
const keysA=objKeys(a);const keysB=objKeys(b);if(keysA.length!==keysB.length)return false;for(let i=0;i<keysA.length;i++){
const key=keysA[i];if(!(key in b&&isEqual(a[key],b[key],ast,ev)))return false}return true});binaryOverload("uint","==","\
uint",(a,b)=>a.valueOf()===b.valueOf());binaryOverload("dyn<uint>",`==`,`double`,(a,b)=>a.valueOf()==b);binaryOverload("\
uint","+","uint",(a,b)=>new UnsignedInt(a.valueOf()+b.valueOf()));binaryOverload("uint","-","uint",(a,b)=>new UnsignedInt(
a.valueOf()-b.valueOf()));binaryOverload("uint","*","uint",(a,b)=>new UnsignedInt(a.valueOf()*b.valueOf()));binaryOverload(
"uint","/","uint",(a,b,ast)=>{if(b.valueOf()===MIN_UINT)return throwDivisionByZero(ast);return new UnsignedInt(a.valueOf()/
b.valueOf())});binaryOverload("uint","%","uint",(a,b,ast)=>{if(b.valueOf()===MIN_UINT)return throwModuloByZero(ast);return new UnsignedInt(
a.valueOf()%b.valueOf())});for(const[left,right]of[["bool","bool"],["int","int"],["uint","uint"],["double","double"],["s\
tring","string"],["google.protobuf.Timestamp","google.protobuf.Timestamp"],["google.protobuf.Duration","google.protobuf.\
Duration"],["int","uint"],["int","double"],["double","int"],["double","uint"],["uint","int"],["uint","double"]]){binaryOverload(
left,"<",right,(a,b)=>a<b);binaryOverload(left,"<=",right,(a,b)=>a<=b);binaryOverload(left,">",right,(a,b)=>a>b);binaryOverload(
left,">=",right,(a,b)=>a>=b)}}function isEqual(a,b,ast,ev){if(a===b)return true;switch(typeof a){case"undefined":case"st\
ring":case"boolean":return false;case"bigint":if(typeof b==="number")return a==b;return false;case"number":if(typeof b===
"bigint")return a==b;return false;case"object":if(typeof b!=="object")return false;const leftType=ev.debugType(a);const rightType=ev.
debugType(b);if(leftType!==rightType)return false;const overload=ev.registry.findBinaryOverload("==",leftType,rightType);
if(!overload)return false;return overload.handler(a,b,ast,ev)}throw evaluationError("invalid_comparison_type",`Cannot co\
mpare values of type ${typeof a}`,ast)}var toDynTypeBinding=new Map().set("A","dyn").set("T","dyn").set("K","dyn").set("V","dyn");var TypeChecker=class extends Base{constructor(opts,isEvaluating){
super(opts);this.createError=isEvaluating?evaluationError:typeError}check(ast,ctx){try{return ast.checkedType??=ast.check(
this,ast,ctx)}catch(error){throw attachErrorAst(error,ast)}}checkAccessOnType(ast,ctx,leftType,allowMissingField=false){
if(leftType===this.dynType)return leftType;const indexTypeName=(ast.op==="[]"||ast.op==="[?]"?this.check(ast.args[1],ctx):
this.stringType).type;if(leftType.kind==="list"){if(indexTypeName==="int"||indexTypeName==="dyn")return leftType.valueType;
throw this.createError("invalid_index_type",`List index must be int, got '${indexTypeName}'`,ast)}if(leftType.kind==="ma\
p")return leftType.valueType;const customType=this.objectTypes.get(leftType.name);if(customType){if(!(indexTypeName==="s\
tring"||indexTypeName==="dyn")){throw this.createError("invalid_index_type",`Cannot index type '${leftType.name}' with t\
ype '${indexTypeName}'`,ast)}if(customType.fields){let keyName;if(ast.op==="."||ast.op===".?")keyName=ast.args[1];else if(ast.
args[1].op==="value")keyName=ast.args[1].args;if(typeof keyName==="string"){const fieldType=customType.fields[keyName];if(fieldType)
return fieldType;if(allowMissingField)return this.dynType;throw this.createError("no_such_key",`No such key: ${keyName}`,
ast)}}return this.dynType}throw this.createError("cannot_index_type",`Cannot index type '${this.formatType(leftType)}'`,
ast)}formatType(type){if(!type.hasPlaceholderType)return type.name;return type.templated(this.registry,toDynTypeBinding).
name}formatTypeList(types){return types.map(t=>this.formatType(t)).join(", ")}};var TOKEN={EOF:0,NUMBER:1,STRING:2,BOOLEAN:3,NULL:4,IDENTIFIER:5,PLUS:6,MINUS:7,MULTIPLY:8,DIVIDE:9,MODULO:10,EQ:11,NE:12,
LT:13,LE:14,GT:15,GE:16,AND:17,OR:18,NOT:19,IN:20,LPAREN:21,RPAREN:22,LBRACKET:23,RBRACKET:24,LBRACE:25,RBRACE:26,DOT:27,
COMMA:28,COLON:29,QUESTION:30,BYTES:31};var OP_FOR_TOKEN={[TOKEN.EQ]:OPERATORS["=="],[TOKEN.PLUS]:OPERATORS["+"],[TOKEN.
MINUS]:OPERATORS["-"],[TOKEN.MULTIPLY]:OPERATORS["*"],[TOKEN.DIVIDE]:OPERATORS["/"],[TOKEN.MODULO]:OPERATORS["%"],[TOKEN.
LE]:OPERATORS["<="],[TOKEN.LT]:OPERATORS["<"],[TOKEN.GE]:OPERATORS[">="],[TOKEN.GT]:OPERATORS[">"],[TOKEN.NE]:OPERATORS["\
!="],[TOKEN.IN]:OPERATORS["in"]};var TOKEN_BY_NUMBER={};for(const key in TOKEN)TOKEN_BY_NUMBER[TOKEN[key]]=key;var HEX_CODES=new Uint8Array(
128);for(const ch of"0123456789abcdefABCDEF")HEX_CODES[ch.charCodeAt(0)]=1;var ESCAPE_ERRORS={bytes_unicode_escape:e=>`\\${e}\
 not allowed in bytes literals`,invalid_unicode_escape:e=>`Invalid Unicode escape: \\${e}`,invalid_unicode_surrogate:e=>`\
Invalid Unicode surrogate: \\${e}`,invalid_hex_escape:e=>`Invalid hex escape: \\${e}`,invalid_octal_escape:()=>"Octal es\
cape must be 3 digits",octal_escape_out_of_range:e=>`Octal escape out of range: \\${e}`,invalid_escape_sequence:e=>`Inva\
lid escape sequence: \\${e}`};var STRING_ESCAPES={"\\":"\\","?":"?",'"':'"',"'":"'","`":"`",a:"\x07",b:"\b",f:"\f",n:"\n",
r:"\r",t:"	",v:"\v"};var ASTNode=class _ASTNode{#meta;#input;constructor(input,pos,start,end,op,args){this.#meta={check:op.
check,evaluate:op.evaluate};this.#input=input;this.op=op.name;this.args=args;this.pos=pos;this.start=start;this.end=end}clone(op,args){
return new _ASTNode(this.#input,this.pos,this.start,this.end,op,args)}get meta(){return this.#meta}get input(){return this.#input}#computeIsAsync(){
const ast=this.#meta.alternate??this;switch(ast.op){case"value":case"id":case"accuValue":case"accuInc":return false;case"\
accuPush":return ast.args.maybeAsync;case"!_":case"-_":if(ast.candidates?.async!==false)return true;return ast.args.maybeAsync;case"\
!=":case"==":case"in":case"+":case"-":case"*":case"/":case"%":case"<":case"<=":case">":case">=":if(ast.candidates?.async!==
false)return true;return ast.args.some(a=>a.maybeAsync);case"call":case"rcall":if(ast.candidates?.async!==false)return true;
return(ast.receiverWithArgs||ast.args[1]).some(a=>a.maybeAsync);case"comprehension":return ast.args.iterable.maybeAsync||
ast.args.step.maybeAsync;case".":case".?":return ast.args[0].maybeAsync;case"?:":case"list":case"[]":case"[?]":return ast.
args.some(a=>a.maybeAsync);case"||":case"&&":return ast.args.some(a=>a.maybeAsync);case"map":return ast.args.some(a=>a[0].
maybeAsync||a[1].maybeAsync);default:return true}}get maybeAsync(){return this.#meta.async??=this.#computeIsAsync()}check(chk,ast,ctx){
const meta=this.#meta;if(meta.alternate)return chk.check(meta.alternate,ctx);else if(meta.macro)return meta.macro.typeCheck(
chk,meta.macro,ctx);return meta.check(chk,ast,ctx)}evaluate(ev,ast,ctx){const meta=this.#meta;if(meta.alternate)this.evaluate=
this.#evaluateAlternate;else if(meta.macro)this.evaluate=this.#evaluateMacro;else this.evaluate=meta.evaluate;return this.
evaluate(ev,ast,ctx)}#evaluateAlternate(ev,ast,ctx){return(ast=this.#meta.alternate).evaluate(ev,ast,ctx)}#evaluateMacro(ev,ast,ctx){
return(ast=this.#meta.macro).evaluate(ev,ast,ctx)}setMeta(key,value){return this.#meta[key]=value,this}get range(){return{
start:this.start,end:this.end}}toOldStructure(){const args=Array.isArray(this.args)?this.args:[this.args];return[this.op,
...args.map(a=>a instanceof _ASTNode?a.toOldStructure():a)]}};var Lexer=class{input;pos;length;tokenPos;tokenType;tokenValue;reset(input){
this.pos=0;this.input=input;this.length=input.length;return input}token(pos,type,value){this.tokenPos=pos;this.tokenType=
type;this.tokenValue=value;return this}nextToken(){while(true){const{pos,input,length}=this;if(pos>=length)return this.token(
pos,TOKEN.EOF);const ch=input[pos];switch(ch){case" ":case"	":case"\n":case"\r":this.pos++;continue;case"=":if(input[pos+
1]!=="=")break;return this.token((this.pos+=2)-2,TOKEN.EQ);case"&":if(input[pos+1]!=="&")break;return this.token((this.pos+=
2)-2,TOKEN.AND);case"|":if(input[pos+1]!=="|")break;return this.token((this.pos+=2)-2,TOKEN.OR);case"+":return this.token(
this.pos++,TOKEN.PLUS);case"-":return this.token(this.pos++,TOKEN.MINUS);case"*":return this.token(this.pos++,TOKEN.MULTIPLY);case"\
/":if(input[pos+1]==="/"){while(this.pos<length&&this.input[this.pos]!=="\n")this.pos++;continue}return this.token(this.
pos++,TOKEN.DIVIDE);case"%":return this.token(this.pos++,TOKEN.MODULO);case"<":if(input[pos+1]==="=")return this.token((this.
pos+=2)-2,TOKEN.LE);return this.token(this.pos++,TOKEN.LT);case">":if(input[pos+1]==="=")return this.token((this.pos+=2)-
2,TOKEN.GE);return this.token(this.pos++,TOKEN.GT);case"!":if(input[pos+1]==="=")return this.token((this.pos+=2)-2,TOKEN.
NE);return this.token(this.pos++,TOKEN.NOT);case"(":return this.token(this.pos++,TOKEN.LPAREN);case")":return this.token(
this.pos++,TOKEN.RPAREN);case"[":return this.token(this.pos++,TOKEN.LBRACKET);case"]":return this.token(this.pos++,TOKEN.
RBRACKET);case"{":return this.token(this.pos++,TOKEN.LBRACE);case"}":return this.token(this.pos++,TOKEN.RBRACE);case".":
return this.token(this.pos++,TOKEN.DOT);case",":return this.token(this.pos++,TOKEN.COMMA);case":":return this.token(this.
pos++,TOKEN.COLON);case"?":return this.token(this.pos++,TOKEN.QUESTION);case`"`:case`'`:return this.readString(ch);case"\
b":case"B":case"r":case"R":{const next=input[pos+1];if(next==='"'||next==="'")return++this.pos&&this.readString(next,ch);
return this.readIdentifier()}default:{const code=ch.charCodeAt(0);if(code<=57&&code>=48)return this.readNumber();if(this.
_isIdentifierCharCode(code))return this.readIdentifier()}}throw parseError("unexpected_character",`Unexpected character:\
 ${ch}`,{pos,start:pos,end:pos+1,input})}}_isIdentifierCharCode(c){if(c<48||c>122)return false;return c>=97||c>=65&&c<=90||
c<=57||c===95}_parseAsDouble(start,end){const value=Number(this.input.substring(start,end));if(Number.isFinite(value))return this.
token(start,TOKEN.NUMBER,value);throw parseError("invalid_number",`Invalid number: ${value}`,{pos:start,start,end,input:this.
input})}_parseAsBigInt(start,end,isHex,unsigned){const string=this.input.substring(start,end);if(unsigned==="u"||unsigned===
"U"){this.pos++;try{return this.token(start,TOKEN.NUMBER,new UnsignedInt(string))}catch(_err){}}else{try{return this.token(
start,TOKEN.NUMBER,BigInt(string))}catch(_err){}}throw parseError(isHex?"invalid_hex_integer":"invalid_integer",isHex?`I\
nvalid hex integer: ${string}`:`Invalid integer: ${string}`,{pos:start,start,end:this.pos,input:this.input})}_readDigits(input,length,pos,code){
while(pos<length&&(code=input.charCodeAt(pos))&&!(code>57||code<48))pos++;return pos}_readExponent(input,length,pos){let ch=pos<
length&&input[pos];if(ch==="e"||ch==="E"){ch=++pos<length&&input[pos];if(ch==="-"||ch==="+")pos++;const start=pos;pos=this.
_readDigits(input,length,pos);if(start===pos)throw parseError("invalid_exponent","Invalid exponent",{pos,start:pos,end:Math.
min(pos+1,input.length),input})}return pos}readNumber(){const{input,length,pos:start}=this;let pos=start;if(input[pos]===
"0"&&(input[pos+1]==="x"||input[pos+1]==="X")){pos+=2;while(pos<length&&HEX_CODES[input[pos].charCodeAt(0)])pos++;return this.
_parseAsBigInt(start,this.pos=pos,true,input[pos])}pos=this._readDigits(input,length,pos);if(pos+1<length){let isDouble=false;
let afterpos=input[pos]==="."?this._readDigits(input,length,pos+1):pos+1;if(afterpos!==pos+1)(isDouble=true)&&(pos=afterpos);
afterpos=this._readExponent(input,length,pos);if(afterpos!==pos)(isDouble=true)&&(pos=afterpos);if(isDouble)return this.
_parseAsDouble(start,this.pos=pos)}return this._parseAsBigInt(start,this.pos=pos,false,input[pos])}readString(del,prefix){
const{input:i,pos:s}=this;if(i[s+1]===del&&i[s+2]===del)return this.readTripleQuotedString(del,prefix);return this.readSingleQuotedString(
del,prefix)}_closeQuotedString(rawStart,rawValue,prefix,pos){switch(prefix){case"b":case"B":{const processed=this.processEscapes(
rawStart,rawValue,true);const bytes=new Uint8Array(processed.length);for(let i=0;i<processed.length;i++)bytes[i]=processed.
charCodeAt(i)&255;return this.token(pos-1,TOKEN.BYTES,bytes)}case"r":case"R":{return this.token(pos-1,TOKEN.STRING,rawValue)}default:{
const value=this.processEscapes(rawStart,rawValue,false);return this.token(pos,TOKEN.STRING,value)}}}readSingleQuotedString(delimiter,prefix){
const{input,length,pos:start}=this;let ch;let pos=this.pos+1;while(pos<length&&(ch=input[pos])){switch(ch){case delimiter:
const rawStart=start+1;const rawValue=input.slice(rawStart,pos);this.pos=++pos;return this._closeQuotedString(rawStart,rawValue,
prefix,start);case"\n":case"\r":throw parseError("newline_in_string","Newlines not allowed in single-quoted strings",{pos,
start:pos,end:pos+1,input});case"\\":pos++}pos++}throw parseError("unterminated_string","Unterminated string",{pos:start,
start,end:input.length,input})}readTripleQuotedString(delimiter,prefix){const{input,length,pos:start}=this;let ch;let pos=this.
pos+3;while(pos<length&&(ch=input[pos])){switch(ch){case delimiter:if(input[pos+1]===delimiter&&input[pos+2]===delimiter){
const rawStart=start+3;const rawValue=input.slice(rawStart,pos);this.pos=pos+3;return this._closeQuotedString(rawStart,rawValue,
prefix,start)}break;case"\\":pos++}pos++}throw parseError("unterminated_triple_quoted_string","Unterminated triple-quote\
d string",{pos:start,start,end:input.length,input})}#escapeErr(code,offset,len,i,chars,extra){const start=offset+i;return parseError(
code,ESCAPE_ERRORS[code](extra),{input:this.input,pos:start,start,end:Math.min(start+chars,offset+len)})}processEscapes(offset,str,isBytes){
if(!str.includes("\\"))return str;const len=str.length;let result="";let i=0;while(i<len){if(str[i]!=="\\"||i+1>=len){result+=
str[i++];continue}const next=str[i+1];if(STRING_ESCAPES[next]){result+=STRING_ESCAPES[next];i+=2}else if(next==="u"||next===
"U"){if(isBytes)throw this.#escapeErr("bytes_unicode_escape",offset,len,i,2,next);const hexLen=next==="u"?4:8;const hex=str.
substring(i+2,i+2+hexLen);const c=Number.parseInt(hex,16);if(hex.length!==hexLen||!/^[0-9a-fA-F]+$/.test(hex)||c>1114111)
throw this.#escapeErr("invalid_unicode_escape",offset,len,i,2+hexLen,next+hex);if(c>=55296&&c<=57343)throw this.#escapeErr(
"invalid_unicode_surrogate",offset,len,i,2+hexLen,next+hex);result+=String.fromCodePoint(c);i+=2+hexLen}else if(next==="\
x"||next==="X"){const h=str.substring(i+2,i+4);if(!/^[0-9a-fA-F]{2}$/.test(h))throw this.#escapeErr("invalid_hex_escape",
offset,len,i,4,next+h);result+=String.fromCharCode(Number.parseInt(h,16));i+=4}else if(next>="0"&&next<="7"){const o=str.
substring(i+1,i+4);if(!/^[0-7]{3}$/.test(o))throw this.#escapeErr("invalid_octal_escape",offset,len,i,4);const value=Number.
parseInt(o,8);if(value>255)throw this.#escapeErr("octal_escape_out_of_range",offset,len,i,4,o);result+=String.fromCharCode(
value);i+=4}else{throw this.#escapeErr("invalid_escape_sequence",offset,len,i,2,next)}}return result}readIdentifier(){const{
pos,input,length}=this;let p=pos;while(p<length&&this._isIdentifierCharCode(input[p].charCodeAt(0)))p++;const value=input.
substring(pos,this.pos=p);switch(value){case"true":return this.token(pos,TOKEN.BOOLEAN,true);case"false":return this.token(
pos,TOKEN.BOOLEAN,false);case"null":return this.token(pos,TOKEN.NULL,null);case"in":return this.token(pos,TOKEN.IN);default:
return this.token(pos,TOKEN.IDENTIFIER,value)}}};var globalLexer=new Lexer;var Parser=class{lexer=globalLexer;input=null;maxDepthRemaining=null;astNodesRemaining=null;type=null;pos=null;constructor(limits,registry){
this.limits=limits;this.registry=registry}#limitExceeded(limitKey,pos=this.pos){throw parseError("limit_exceeded",`Excee\
ded ${limitKey} (${this.limits[limitKey]})`,{pos,start:pos,end:pos,input:this.input})}#node(start,end,op,args,pos=start){
const node=new ASTNode(this.input,pos,start,end,op,args);if(!this.astNodesRemaining--)this.#limitExceeded("maxAstNodes",
pos);return node}#infixNode(op,left,right){return this.#node(left.start,right.end,op,[left,right])}#ternaryNode(expression,consequent,alternate){
return this.#node(expression.start,alternate.end,OPERATORS.ternary,[expression,consequent,alternate])}#unaryNode(pos,op,arg){
return this.#node(pos,arg.end,op,arg)}#accessNode(op,left,right,end,pos=left.start){return this.#node(left.start,end,op,
[left,right],pos)}#advanceToken(returnValue=this.pos){const l=this.lexer.nextToken();this.pos=l.tokenPos;this.type=l.tokenType;
return returnValue}get value(){return this.lexer.tokenValue}consume(expectedType){if(this.type===expectedType)return this.#advanceToken();
throw parseError("expected_token",`Expected ${TOKEN_BY_NUMBER[expectedType]}, got ${TOKEN_BY_NUMBER[this.type]}`,{pos:this.
pos,start:this.pos,end:this.lexer.pos,input:this.input})}match(type){return this.type===type}parse(input){if(typeof input!==
"string"){throw parseError("expression_must_be_string","Expression must be a string")}this.input=this.lexer.reset(input);
this.#advanceToken();this.maxDepthRemaining=this.limits.maxDepth;this.astNodesRemaining=this.limits.maxAstNodes;const result=this.
parseExpression();if(this.match(TOKEN.EOF))return result;throw parseError("unexpected_character",`Unexpected character: \
'${this.input[this.lexer.pos-1]}'`,{pos:this.pos,start:this.pos,end:this.lexer.pos,input:this.input})}#expandMacro(start,end,op,args){
const methodName=args[0];const receiver=op===OPERATORS.rcall?args[1]:null;const fnArgs=op===OPERATORS.rcall?args[2]:args[1];
const decl=this.registry.findMacro(methodName,!!receiver,fnArgs.length);const ast=this.#node(start,end,op,args);if(!decl)
return ast;const macro=decl.handler({ast,args:fnArgs,receiver,methodName,parser:this});if(macro.callAst)return ast.setMeta(
"alternate",macro.callAst);return ast.setMeta("macro",macro).setMeta("async",isAsync(macro.evaluate,macro.async))}parseExpression(){
if(!this.maxDepthRemaining--)this.#limitExceeded("maxDepth");const expr=this.parseLogicalOr();if(!this.match(TOKEN.QUESTION))
return++this.maxDepthRemaining&&expr;this.#advanceToken();const consequent=this.parseExpression();this.consume(TOKEN.COLON);
const alternate=this.parseExpression();this.maxDepthRemaining++;return this.#ternaryNode(expr,consequent,alternate)}parseLogicalOr(){
let expr=this.parseLogicalAnd();while(this.match(TOKEN.OR)){this.#advanceToken();expr=this.#infixNode(OPERATORS["||"],expr,
this.parseLogicalAnd())}return expr}parseLogicalAnd(){let expr=this.parseEquality();while(this.match(TOKEN.AND)){this.#advanceToken();
expr=this.#infixNode(OPERATORS["&&"],expr,this.parseEquality())}return expr}parseEquality(){let expr=this.parseRelational();
while(this.match(TOKEN.EQ)||this.match(TOKEN.NE)){const op=OP_FOR_TOKEN[this.type];this.#advanceToken();expr=this.#infixNode(
op,expr,this.parseRelational())}return expr}parseRelational(){let expr=this.parseAdditive();while(this.match(TOKEN.LT)||
this.match(TOKEN.LE)||this.match(TOKEN.GT)||this.match(TOKEN.GE)||this.match(TOKEN.IN)){const op=OP_FOR_TOKEN[this.type];
this.#advanceToken();expr=this.#infixNode(op,expr,this.parseAdditive())}return expr}parseAdditive(){let expr=this.parseMultiplicative();
while(this.match(TOKEN.PLUS)||this.match(TOKEN.MINUS)){const op=OP_FOR_TOKEN[this.type];this.#advanceToken();expr=this.#infixNode(
op,expr,this.parseMultiplicative())}return expr}parseMultiplicative(){let expr=this.parseUnary();while(this.match(TOKEN.
MULTIPLY)||this.match(TOKEN.DIVIDE)||this.match(TOKEN.MODULO)){const op=OP_FOR_TOKEN[this.type];this.#advanceToken();expr=
this.#infixNode(op,expr,this.parseUnary())}return expr}parseUnary(){if(this.type===TOKEN.NOT){return this.#unaryNode(this.#advanceToken(),
OPERATORS.unaryNot,this.parseUnary())}if(this.type===TOKEN.MINUS){return this.#unaryNode(this.#advanceToken(),OPERATORS.
unaryMinus,this.parseUnary())}return this.parsePostfix()}parsePostfix(){let expr=this.parsePrimary();const depth=this.maxDepthRemaining;
while(true){if(this.match(TOKEN.DOT)){const dot=this.#advanceToken();if(!this.maxDepthRemaining--)this.#limitExceeded("m\
axDepth",dot);const op=this.match(TOKEN.QUESTION)&&this.registry.enableOptionalTypes&&this.#advanceToken()?OPERATORS.optionalFieldAccess:
OPERATORS.fieldAccess;const propertyValue=this.value;const start=this.pos;const end=this.lexer.pos;this.consume(TOKEN.IDENTIFIER);
if(op===OPERATORS.fieldAccess&&this.match(TOKEN.LPAREN)&&this.#advanceToken()){const args=this.parseArgumentList();const closeEnd=this.
lexer.pos;this.consume(TOKEN.RPAREN);expr=this.#expandMacro(expr.start,closeEnd,OPERATORS.rcall,[propertyValue,expr,args])}else{
expr=this.#accessNode(op,expr,propertyValue,end,start)}continue}if(this.match(TOKEN.LBRACKET)){const bracket=this.#advanceToken();
if(!this.maxDepthRemaining--)this.#limitExceeded("maxDepth",bracket);const op=this.match(TOKEN.QUESTION)&&this.registry.
enableOptionalTypes&&this.#advanceToken()?OPERATORS.optionalBracketAccess:OPERATORS.bracketAccess;const index=this.parseExpression();
const closeEnd=this.lexer.pos;this.consume(TOKEN.RBRACKET);expr=this.#accessNode(op,expr,index,closeEnd);continue}break}
this.maxDepthRemaining=depth;return expr}parsePrimary(){switch(this.type){case TOKEN.NUMBER:case TOKEN.STRING:case TOKEN.
BYTES:case TOKEN.BOOLEAN:case TOKEN.NULL:return this.#consumeLiteral();case TOKEN.IDENTIFIER:return this.#parseIdentifierPrimary();case TOKEN.
LPAREN:return this.#parseParenthesizedExpression();case TOKEN.LBRACKET:return this.parseList();case TOKEN.LBRACE:return this.
parseMap()}throw parseError("unexpected_token",`Unexpected token: ${TOKEN_BY_NUMBER[this.type]}`,{pos:this.pos,start:this.
pos,end:this.lexer.pos,input:this.input})}#consumeLiteral(){return this.#advanceToken(this.#node(this.pos,this.lexer.pos,
OPERATORS.value,this.value))}#parseIdentifierPrimary(){const value=this.value;const end=this.lexer.pos;const start=this.
consume(TOKEN.IDENTIFIER);if(RESERVED.has(value)){throw parseError("reserved_identifier",`Reserved identifier: ${value}`,
{pos:start,start,end,input:this.input})}if(!this.match(TOKEN.LPAREN))return this.#node(start,end,OPERATORS.id,value);this.#advanceToken();
const args=this.parseArgumentList();const closeEnd=this.lexer.pos;this.consume(TOKEN.RPAREN);return this.#expandMacro(start,
closeEnd,OPERATORS.call,[value,args])}#parseParenthesizedExpression(){this.consume(TOKEN.LPAREN);const expr=this.parseExpression();
this.consume(TOKEN.RPAREN);return expr}parseList(){const start=this.consume(TOKEN.LBRACKET);const elements=[];let remainingElements=this.
limits.maxListElements;if(!this.match(TOKEN.RBRACKET)){elements.push(this.parseExpression());if(!remainingElements--)this.#limitExceeded(
"maxListElements",elements.at(-1).pos);while(this.match(TOKEN.COMMA)){this.#advanceToken();if(this.match(TOKEN.RBRACKET))
break;elements.push(this.parseExpression());if(!remainingElements--)this.#limitExceeded("maxListElements",elements.at(-1).
pos)}}const closeEnd=this.lexer.pos;this.consume(TOKEN.RBRACKET);return this.#node(start,closeEnd,OPERATORS.list,elements)}parseMap(){
const start=this.consume(TOKEN.LBRACE);const props=[];let remainingEntries=this.limits.maxMapEntries;if(!this.match(TOKEN.
RBRACE)){props.push(this.parseProperty());if(!remainingEntries--)this.#limitExceeded("maxMapEntries",props.at(-1)[0].pos);
while(this.match(TOKEN.COMMA)){this.#advanceToken();if(this.match(TOKEN.RBRACE))break;props.push(this.parseProperty());if(!remainingEntries--)
this.#limitExceeded("maxMapEntries",props.at(-1)[0].pos)}}const closeEnd=this.lexer.pos;this.consume(TOKEN.RBRACE);return this.#node(
start,closeEnd,OPERATORS.map,props)}parseProperty(){return[this.parseExpression(),(this.consume(TOKEN.COLON),this.parseExpression())]}parseArgumentList(){
const args=[];let remainingArgs=this.limits.maxCallArguments;if(!this.match(TOKEN.RPAREN)){args.push(this.parseExpression());
if(!remainingArgs--)this.#limitExceeded("maxCallArguments",args.at(-1).pos);while(this.match(TOKEN.COMMA)){this.#advanceToken();
if(this.match(TOKEN.RPAREN))break;args.push(this.parseExpression());if(!remainingArgs--)this.#limitExceeded("maxCallArgu\
ments",args.at(-1).pos)}}return args}};var DEFAULT_LIMITS=objFreeze({maxAstNodes:1e5,maxDepth:250,maxListElements:1e3,maxMapEntries:1e3,maxCallArguments:32});var LIMIT_KEYS=new Set(
objKeys(DEFAULT_LIMITS));function createLimits(overrides,base=DEFAULT_LIMITS){const keys=overrides?objKeys(overrides):void 0;
if(!keys?.length)return base;const merged={...base};for(const key of keys){if(!LIMIT_KEYS.has(key))throw new TypeError(`\
Unknown limits option: ${key}`);const value=overrides[key];if(typeof value!=="number")continue;merged[key]=value}return objFreeze(
merged)}var DEFAULT_OPTIONS=objFreeze({unlistedVariablesAreDyn:false,homogeneousAggregateLiterals:true,enableOptionalTypes:false,
limits:DEFAULT_LIMITS});function bool(a,b,key){const value=a?.[key]??b?.[key];if(typeof value!=="boolean")throw new TypeError(
`Invalid option: ${key}`);return value}function createOptions(opts,base=DEFAULT_OPTIONS){if(!opts)return base;return objFreeze(
{unlistedVariablesAreDyn:bool(opts,base,"unlistedVariablesAreDyn"),homogeneousAggregateLiterals:bool(opts,base,"homogene\
ousAggregateLiterals"),enableOptionalTypes:bool(opts,base,"enableOptionalTypes"),limits:createLimits(opts.limits,base.limits)})}var globalRegistry=createRegistry({enableOptionalTypes:false});registerFunctions(globalRegistry);registerOverloads(globalRegistry);
registerMacros(globalRegistry);var Environment=class _Environment{#registry;#evaluator;#typeChecker;#evalTypeChecker;#parser;constructor(opts,inherited){
this.opts=createOptions(opts,inherited?.opts);this.#registry=(inherited instanceof _Environment?inherited.#registry:globalRegistry).
clone(this.opts);const childOpts={registry:this.#registry,opts:this.opts};this.#typeChecker=new TypeChecker(childOpts);this.#evalTypeChecker=
new TypeChecker(childOpts,true);this.#evaluator=new Evaluator(childOpts);this.#parser=new Parser(this.opts.limits,this.#registry);
Object.freeze(this)}clone(opts){return new _Environment(opts,this)}registerFunction(signature,handler,opts){this.#registry.
registerFunctionOverload(signature,handler,opts);return this}registerOperator(string,handler,opts){this.#registry.registerOperatorOverload(
string,handler,opts);return this}registerType(typename,constructor){this.#registry.registerType(typename,constructor);return this}registerVariable(name,type,opts){
this.#registry.registerVariable(name,type,opts);return this}registerConstant(name,type,value){this.#registry.registerConstant(
name,type,value);return this}hasVariable(name){return this.#registry.variables.has(name)}getDefinitions(){return this.#registry.
getDefinitions()}check(expression){try{return this.#checkAST(this.#parser.parse(expression))}catch(error){return{valid:false,
error}}}#checkAST(ast){try{const typeDecl=this.#typeChecker.check(ast,new RootContext(this.#registry));return{valid:true,
type:this.#formatTypeForCheck(typeDecl)}}catch(error){return{valid:false,error}}}#formatTypeForCheck(typeDecl){if(typeDecl.
name===`list<dyn>`)return"list";if(typeDecl.name===`map<dyn, dyn>`)return"map";return typeDecl.name}parse(expression){const ast=this.#parser.
parse(expression);const evaluateParsed=this.#evaluateAST.bind(this,ast);evaluateParsed.check=this.#checkAST.bind(this,ast);
evaluateParsed.ast=ast;return evaluateParsed}evaluate(expression,context){return this.#evaluateAST(this.#parser.parse(expression),
context)}#evaluateAST(ast,ctx){if(ast.checkedType){return ast.evaluate(this.#evaluator,ast,new RootContext(this.#registry,
ctx))}else{this.#evalTypeChecker.check(ast,ctx=new RootContext(this.#registry,ctx));return ast.evaluate(this.#evaluator,
ast,ctx)}}};var Evaluator=class extends Base{constructor(opts){super(opts);this.createError=evaluationError}#firstMapElement(coll){
if(coll instanceof Map)return coll.entries().next().value;for(const key in coll)return[key,coll[key]]}debugRuntimeType(value,checkedType){
return checkedType?.hasDynType===false?checkedType:this.debugTypeDeep(value)}debugTypeDeep(value){const runtimeType=this.
debugType(value);switch(runtimeType.kind){case"list":{const first=value instanceof Array?value[0]:value.values().next().
value;if(first===void 0)return runtimeType;return this.registry.getListType(this.debugTypeDeep(first))}case"map":{const first=this.#firstMapElement(
value);if(!first)return runtimeType;return this.registry.getMapType(runtimeType.keyType.hasDynType?this.debugTypeDeep(first[0]):
runtimeType.keyType,runtimeType.valueType.hasDynType?this.debugTypeDeep(first[1]):runtimeType.valueType)}default:return runtimeType}}tryEval(ast,ctx){
try{const res=this.run(ast,ctx);if(res instanceof Promise)return res.catch(err=>err);return res}catch(err){return err}}run(ast,ctx){
return ast.evaluate(this,ast,ctx)}};var globalEnvironment=new Environment({unlistedVariablesAreDyn:true});function serializeValue(value){if(value===null)return"null";if(typeof value==="boolean")return String(value);if(typeof value===
"bigint")return String(value);if(typeof value==="string")return serializeString(value);if(value instanceof Uint8Array)return serializeBytes(
value);if(value instanceof UnsignedInt)return`${value.value}u`;if(value instanceof Optional){if(value.hasValue())return`\
optional.of(${serializeValue(value.value())})`;return"optional.none()"}if(typeof value==="number"){return value%1===0?`${value}\
.0`:value.toLocaleString("en-US",{useGrouping:false,maximumFractionDigits:9})}if(typeof value==="object"){const keys=Object.
keys(value);if(keys.every(k=>/^\d+$/.test(k))){const bytes=new Uint8Array(keys.length);for(let i=0;i<keys.length;i++)bytes[i]=
value[i];return serializeBytes(bytes)}}return String(value)}function serialize(ast){const{op,args}=ast;switch(op){case"v\
alue":return serializeValue(args);case"id":return args;case"||":case"&&":case"==":case"!=":case"<":case"<=":case">":case"\
>=":case"in":case"+":case"-":case"*":case"/":case"%":return`${wrap(args[0],op)} ${op} ${wrap(args[1],op)}`;case"!_":return`\
!${wrap(args,op)}`;case"-_":return["+","-","*","/","%"].includes(args.op)?`-(${serialize(args)})`:`-${serialize(args)}`;case"\
.":return`${wrap(args[0],op)}.${args[1]}`;case".?":return`${wrap(args[0],op)}.?${args[1]}`;case"[]":return`${wrap(args[0],
op)}[${serialize(args[1])}]`;case"[?]":return`${wrap(args[0],op)}[?${serialize(args[1])}]`;case"call":return`${args[0]}(${args[1].
map(serialize).join(", ")})`;case"rcall":return`${wrap(args[1],op)}.${args[0]}(${args[2].map(serialize).join(", ")})`;case"\
list":return`[${args.map(serialize).join(", ")}]`;case"map":return`{${args.map(([k,v])=>`${serialize(k)}: ${serialize(v)}`).
join(", ")}}`;case"?:":return`${wrap(args[0],op)} ? ${wrap(args[1],op)} : ${serialize(args[2])}`;default:throw new Error(
`Unknown AST operation: ${op}`)}}function serializeString(str){const escaped=str.replace(/\\/g,"\\\\").replace(/"/g,'\\"').
replace(/\n/g,"\\n").replace(/\r/g,"\\r").replace(/\t/g,"\\t").replace(/\f/g,"\\f").replace(/[\b]/g,"\\b").replace(/\v/g,
"\\v");let result="";for(let i=0;i<escaped.length;i++){const code=escaped.charCodeAt(i);if(code<32||code>126){result+=code<=
65535?`\\u${code.toString(16).padStart(4,"0")}`:`\\U${code.toString(16).padStart(8,"0")}`}else{result+=escaped[i]}}return`\
"${result}"`}function serializeBytes(bytes){let result='b"';for(const byte of bytes){if(byte===92)result+="\\\\";else if(byte===
34)result+='\\"';else if(byte===10)result+="\\n";else if(byte===13)result+="\\r";else if(byte===9)result+="\\t";else if(byte>=
32&&byte<=126)result+=String.fromCharCode(byte);else result+=`\\x${byte.toString(16).padStart(2,"0")}`}return`${result}"`}
var PRECEDENCE={"?:":1,"||":2,"&&":3,"==":4,"!=":4,"<":5,"<=":5,">":5,">=":5,in:5,"+":6,"-":6,"-_":6,"*":7,"/":7,"%":7,"\
!_":8,".":9,".?":9,"[]":9,"[?]":9,call:9,rcall:9};function needsParentheses(ast,parentOp){const childOp=ast.op;const parentPrec=PRECEDENCE[parentOp]||
0;const childPrec=PRECEDENCE[childOp]||0;if(childOp==="value"||childOp==="id"||childOp==="call"||childOp==="rcall"||childOp===
"list"||childOp==="map"){return false}if((parentOp==="*"||parentOp==="/"||parentOp==="%")&&childOp==="-_")return false;if(parentOp===
"*"&&childOp==="*"&&ast.args[0].op==="-_")return false;if((childOp==="."||childOp==="[]"||childOp===".?"||childOp==="[?]")&&
(parentOp==="."||parentOp==="[]"||parentOp===".?"||parentOp==="[?]"||parentOp==="rcall"))return false;if(parentOp==="?:")
return childOp==="?:";if(parentOp==="!_"||parentOp==="-_")return childPrec<parentPrec;if(parentOp==="/"&&(childOp==="*"||
childOp==="+"||childOp==="-"))return true;if(childOp==="/"&&parentOp!==void 0)return true;if((parentOp==="*"||parentOp===
"/")&&["+","-","*","/"].includes(childOp)){return true}if(childPrec<parentPrec)return true;if(childPrec===parentPrec&&(parentOp===
"/"||parentOp==="%")&&(childOp==="/"||childOp==="%"))return true;return false}function wrap(ast,parentOp){return needsParentheses(
ast,parentOp)?`(${serialize(ast)})`:serialize(ast)}var LIMITS={maxAstNodes:500,maxDepth:50,maxListElements:200,maxMapEntries:50,maxCallArguments:8};var AMOUNTS={before:"am\
ount",after:"amount",change:"amount",percent:"double",currency:"string"};var COUNTS={added:"int",changed:"int",deleted:"\
int",replaced:"int",imported:"int",removed:"int",unchanged:"int",drifted:"int"};var OLDER_MEMBERS={previous:"before",current:"\
after"};var OLDER_AMOUNTS={previous:"amount",current:"amount"};var TYPES2={Cost:AMOUNTS,Stage:{name:"string",workspace:"\
string",org:"string",project:"string",status:"string",...AMOUNTS,...COUNTS,unpriced:"int",usage:"int"},Module:{path:"str\
ing",...AMOUNTS},Resource:{address:"string",type:"string",provider:"string",module:"string",workspace:"string",stage:"st\
ring",action:"string",...AMOUNTS},Row:{address:"string",type:"string",provider:"string",module:"string",workspace:"strin\
g",stage:"string",change:"string"},Changes:{...COUNTS,rows:"list<Row>"},Unpriced:{count:"int",types:"list<string>"},Usage:{
count:"int",introduced:"int",deleted:"int",resources:"list<UsageResource>"},UsageResource:{address:"string",type:"string",
provider:"string",module:"string",workspace:"string",stage:"string",change:"string"},Saving:{address:"string",type:"stri\
ng",workspace:"string",monthly:"amount",currency:"string"},Anomalies:{count:"int"},Governance:{failed:"int",total:"int"},
UnitCost:{metric:"string",name:"string",perspective:"string",before:"amount",after:"amount",percent:"double",currency:"s\
tring"},Drift:{stage:"string",workspace:"string",drift:"amount",own:"amount",currency:"string"},Lifetime:{stage:"string",
workspace:"string",hours:"double",amount:"amount",currency:"string"},GovernancePrompt:{resource:"string",type:"string",description:"\
string"},Pull:{number:"int",author:"string",base:"string",draft:"bool",labels:"list<string>",paths:"list<string>"}};var Element=class{constructor(members){
Object.assign(this,members)}};var createElementClass=()=>class extends Element{};var ELEMENTS={Cost:createElementClass(),
Stage:createElementClass(),Module:createElementClass(),Resource:createElementClass(),Row:createElementClass(),Changes:createElementClass(),
Unpriced:createElementClass(),Usage:createElementClass(),UsageResource:createElementClass(),Saving:createElementClass(),
Anomalies:createElementClass(),Governance:createElementClass(),UnitCost:createElementClass(),Drift:createElementClass(),
Lifetime:createElementClass(),GovernancePrompt:createElementClass(),Pull:createElementClass()};var VARIABLES={pull:"Pull",
cost:"Cost",costs:"list<Cost>",stages:"list<Stage>",modules:"list<Module>",resources:"list<Resource>",changes:"Changes",
unpriced:"Unpriced",usage:"Usage",savings:"list<Saving>",anomalies:"Anomalies",governance:"Governance",unit_costs:"list<\
UnitCost>",governance_prompts:"list<GovernancePrompt>",drift:"list<Drift>",lifetimes:"list<Lifetime>"};var COMPARISONS={
"<":order=>order<0,"<=":order=>order<=0,">":order=>order>0,">=":order=>order>=0,"==":order=>order===0};function registerMoney(environment){
for(const[sign,holds]of Object.entries(COMPARISONS)){const decide=(a,b)=>holds(compareAmounts(a,b));for(const pair of sign===
"=="?AMOUNT_FIRST:PAIRS)environment.registerOperator(`${pair.join(` ${sign} `)}: bool`,decide)}for(const[sign,work]of Object.
entries({"+":add,"-":subtract,"*":multiply}))for(const pair of PAIRS)environment.registerOperator(`${pair.join(` ${sign}\
 `)}: amount`,work)}function createEnvironment(patterns){const environment=new Environment({limits:LIMITS}).registerType(
"amount",{ctor:ConditionAmount,fields:{}});for(const[name,fields]of Object.entries(TYPES2))environment.registerType(name,
{ctor:ELEMENTS[name],fields:"change"in fields&&fields.change==="amount"?{...fields,...OLDER_AMOUNTS}:fields});for(const[
name,type]of Object.entries(VARIABLES))environment.registerVariable(name,type);registerMoney(environment);return environment.
registerOperator("-amount: amount",negateAmount).registerOperator("double * int",(a,b)=>a*Number(b)).registerFunction("s\
tring.like(string): bool",(text,pattern)=>patterns.hasMatch(text,pattern)).registerFunction("sum(list<amount>): amount",
amounts=>amounts.reduce((total2,amount)=>add(total2,amount),new ConditionAmount(ZERO,null)))}var AMOUNT_FIRST=[["amount",
"amount"],["amount","int"],["amount","double"]];var PAIRS=[...AMOUNT_FIRST,["int","amount"],["double","amount"]];var{Cost,Stage,Module,Resource,Row,Changes,Unpriced,Usage,UsageResource:UsageResource2,Pull}=ELEMENTS;var{Saving:Saving2,
Anomalies,Governance,UnitCost:UnitCost2,GovernancePrompt:GovernancePrompt2,Drift,Lifetime:Lifetime2}=ELEMENTS;function createValues(report,context){
const[total2]=report.totals;const rows=report.rows.filter(({change})=>change!=="moved").map(createRowValue);return{pull:createPullValue(
context),cost:new Cost(amountValues(total2??UNKNOWN_DELTA3,total2?.currency??"")),costs:report.totals.map(line=>new Cost(
amountValues(line,line.currency))),stages:report.stages.map(createStageValue),modules:report.modules.filter(({unattributed})=>!unattributed).
map(line=>new Module({path:line.module,...amountValues(line,line.currency??"")})),resources:report.resources.map(createResourceValue),
changes:new Changes({...countValues(report.changes),rows}),unpriced:new Unpriced({count:BigInt(report.unpriced?.count??0),
types:Object.keys(report.unpriced?.types??{})}),usage:createUsageValue(report),drift:report.drift.flatMap(createDriftValues),
lifetimes:report.lifetimes.map(createLifetimeValue),...createContextValues(report.context)}}function createUsageValue({usage:usage2,
usageBased=[]}){const resources=usageBased.map(({address,type,module,workspace,stage,change})=>{return new UsageResource2(
{address,type,provider:parseProvider(type),module,workspace,stage,change})});return new Usage({count:BigInt(usage2?.after??
0),introduced:BigInt(usage2?.introduced??0),deleted:BigInt(usage2?.deleted??0),resources})}function createContextValues({
savings,anomalies:anomalies2,governance,unitCosts,prompts}){const open=findKnownValue(anomalies2);const evaluated=findKnownValue(
governance);return{savings:listMissedSavings(findKnownValue(savings)??{items:[]}).map(createSavingValue),anomalies:new Anomalies(
{count:BigInt(open?.count??0)}),governance:new Governance({failed:BigInt(evaluated?.failed??0),total:BigInt(evaluated?.total??
0)}),unit_costs:(findKnownValue(unitCosts)??[]).map(createUnitCostValue),governance_prompts:(findKnownValue(prompts)??[]).
flatMap(createPromptValues)}}var findKnownValue=fact=>fact.state==="known"?fact.value:null;function createSavingValue({address,
workspace,resourceType,monthly}){const{currency}=monthly;return new Saving2({address,type:resourceType,workspace,monthly:createAmount(
monthly.amount,currency),currency})}function createDriftValues({stage,workspace,currency,split}){if(split===null)return[];
const{drift:drift2,own}=split;const amounts={drift:createAmount(drift2,currency),own:createAmount(own,currency),currency};
return[new Drift({stage,workspace,...amounts})]}var HOUR_MS=36e5;var createLifetimeValue=({stage,workspace,currency,lifetimeMs,
amount:sum2})=>new Lifetime2({stage,workspace,hours:lifetimeMs/HOUR_MS,amount:createAmount(sum2,currency),currency});var createPromptValues=({
resource,types,description})=>types.map(type=>new GovernancePrompt2({resource,type,description}));function createUnitCostValue({
metric,name,perspective,before,after,currency}){const change=before===null||after===null?null:minus(after,before);const percent2=computePercent2(
{before,change});return new UnitCost2({metric,name,perspective:perspective??"",before:createAmount(before,currency),after:createAmount(
after,currency),percent:percent2,currency})}var UNKNOWN_DELTA3={before:null,after:null,change:null,percent:null};var createPullValue=({
number,author,baseRef,draft,labels,paths})=>new Pull({number:BigInt(number),author:author??"",base:baseRef,draft,labels:labels??
[],paths});function amountValues(line,currency){const[before,after]=[createAmount(line.before,currency),createAmount(line.
after,currency)];return{before,after,previous:before,current:after,change:createAmount(line.change,currency),percent:computePercent2(
line),currency}}var createAmount=(value,currency)=>new ConditionAmount(value??ZERO,currency);function computePercent2({before,
change}){if(before===null||change===null)return 0;if(before!==ZERO)return Number(change)*100/Math.abs(Number(before));return Number(
change)>0?Number.POSITIVE_INFINITY:0}var NO_COUNTS={added:0,changed:0,deleted:0,replaced:0,imported:0,removed:0,unchanged:0,
drifted:0};var countValues=counts=>Object.fromEntries(Object.entries(counts??NO_COUNTS).map(([name,count2])=>[name,BigInt(
count2??0)]));function createStageValue(stage){const{name,workspace,org,project,status,currency,counts,unpriced:unpriced2}=stage;
return new Stage({name,workspace,org,project,status,...amountValues(stage,currency??""),...countValues(counts),unpriced:BigInt(
unpriced2?.count??0),usage:BigInt(stage.usage?.after??0)})}function createResourceValue(resource){const{address,type,module,
workspace,stage,action,currency}=resource;const place={address,type,provider:parseProvider(type),module,workspace,stage};
return new Resource({...place,action:action===null||action==="moved"?"":action,...amountValues(resource,currency)})}function createRowValue({
address,type,module,workspace,stage,change}){return new Row({address,type,provider:parseProvider(type),module,workspace,
stage,change})}var ConditionRun=class{meter;#options;#read=new Map;#position=0;#stoppedAt=null;constructor(options={}){this.#options=options;
this.meter=new CostMeter(options.limits)}get stoppedAt(){return this.#stoppedAt}evaluate(expression,work){this.#position+=
1;const problem=this.#problemOf(expression);if(problem!==null)return{problem};this.meter.startRule();this.#options.onPosition?.(
this.#position);try{return work(this.meter)}finally{this.#options.onPosition?.(0)}}getValues(report,context){const read=this.#getRead(
report,context);if(read.values!==null)return read.values;this.meter.charge(ELEMENT_STEPS*(report.resources.length+report.
rows.length+report.modules.length));read.values=createValues(report,context);return read.values}getMissing({report,context,
need},list){const{missing}=this.#getRead(report,context);const reasons=missing.get(need)??list();missing.set(need,reasons);
return reasons}#getRead(report,context){const known=this.#read.get(report);if(known?.context===context)return known;const[
oldest]=this.#read.keys();if(this.#read.size>=MAX_CACHED&&oldest!==void 0)this.#read.delete(oldest);const read={context,
values:null,missing:new Map};this.#read.set(report,read);return read}#problemOf(expression){const{stop=null,skipped:leftOut}=this.#options;
if(stop===null||this.#position<stop.position)return leftOut?.get(expression)??null;if(this.#position===stop.position)this.#stoppedAt=
expression;return stop.position===0||this.#position===stop.position?stop.problem:LEFT_OUT_REASON}};var ELEMENT_STEPS=10;
var MAX_CACHED=4;var LEFT_OUT_REASON="it was not evaluated, because another condition of the policy took too long; see t\
he finding that says so";var SHORT=50;var PIECE=1e3;function cutLists(value){const pieces=[];return{rest:cutValue(value,[],pieces),pieces}}function cutValue(value,path,pieces){
if(Array.isArray(value)){if(value.length<=SHORT)return value.map((item,at)=>cutValue(item,[...path,at],pieces));for(let from=0;from<
value.length;from+=PIECE)pieces.push({path,items:value.slice(from,from+PIECE)});return[]}if(typeof value!=="object"||value===
null||Object.getPrototypeOf(value)!==Object.prototype)return value;return Object.fromEntries(Object.entries(value).map(([
key,member])=>[key,cutValue(member,[...path,key],pieces)]))}function joinLists({rest,pieces}){for(const{path,items}of pieces){
const list=path.reduce((inner,step)=>inner[step],rest);if(Array.isArray(list))for(const item of items)list.push(item)}return rest}function createStageNames({stages},names){const getName=createStageNamer(names);const label=createStageLabels(stages);const byPlace=new Map(
stages.map(stage=>[buildStageKey(stage),label(stage)]));return{getName:({workspace})=>getName(workspace),getLabel:stage=>byPlace.
get(buildStageKey(stage))??buildStageKey(stage)}}function renameStages(report,names){const getName=createStageNamer(names);
return{...report,stages:report.stages.map(stage=>({...stage,name:getName(stage.workspace)}))}}function createStageNamer(names){
const compiled=names.map(({workspace,name})=>({matches:compileGlob(workspace),name}));return workspace=>compiled.find(({
matches})=>matches?.(workspace))?.name??workspace}function toBound(limit){if("amount"in limit)return createBound(limit.amount.amount);if("percent"in limit)return createBound(
limit.percent);return createBound(limit.kind==="when"?ZERO:decimal(String(limit.count)))}var createBound=exact=>({exact,
rough:Number(exact)});function isAboveBound(value,{exact,rough}){switch(value.kind){case"count":return value.count>rough;case"\
money":return value.rough===rough?compare(value.amount,exact)>0:value.rough>rough;case"percent":return isAbovePercent(value,
exact);case"condition":return value.isTrue}}var DOUBLE_TOLERANCE=1e-9;function isAbovePercent({before,change,rough},limit){
if(before===ZERO)return compare(change,ZERO)>0;const rest=rough-Number(limit);if(Math.abs(rest)>DOUBLE_TOLERANCE*Math.max(
1,Math.abs(rough)))return rest>0;return compare(times(change,HUNDRED),times(limit,absolute(before)))>0}var HUNDRED=decimal(
"100");function toMeasuredValue(value,limit){switch(value.kind){case"count":return{kind:"count",count:value.count};case"\
money":return{kind:"money",amount:value.amount,currency:value.currency};case"percent":return toMeasuredPercent(value,limit.
exact);case"condition":return value.isTrue?{kind:"condition",count:value.count}:null}}function toMeasuredPercent({before,
change},limit){if(before===ZERO&&compare(change,ZERO)>0)return{kind:"increase_from_zero"};let percent2=null;for(const{up,
down}of SCALES){const scaled=computePercentChange(before,plus(before,times(change,up)));percent2=scaled===null?null:times(
scaled,down);if(percent2!==limit)break}if(percent2===limit)percent2=computePercentChange(before,plus(before,change));return percent2===
null?null:{kind:"percent",percent:percent2}}var SCALES=[0,3,6,12,24].map(places=>({up:decimal(`1${"0".repeat(places)}`),
down:places===0?decimal("1"):decimal(`0.${"0".repeat(places-1)}1`)}));var unknown=reason=>({kind:"unknown",reason});function listLineDoubts({state,because}){switch(state){case"known":return[];case"\
unknown":return because.length===0?[unknown("not_read")]:because.map(unknown);case"partial":if(isOnlyUncompared(because))
return[unknown("not_compared")];return[{kind:"partial"},...because.filter(reason=>reason!=="partly_estimated").map(unknown)];case"\
inconsistent":return[{kind:"inconsistent"},...because.map(unknown)]}}var listAfterDoubts=line=>line.state==="partial"&&line.
after!==null&&isOnlyUncompared(line.because)?[]:listLineDoubts(line);var isOnlyUncompared=because=>because.length>0&&because.
every(reason=>reason==="not_compared");function listReportGaps({stages,refused}){const reasons=listUnseenDoubts(refused).
flatMap(({because})=>because.map(unknown));return stages.length===0&&reasons.length===0?[unknown("not_read")]:reasons}function selectUniqueReasons(because){
return[...new Map(because.map(reason=>[JSON.stringify(reason),reason])).values()]}var MAX_FINDINGS=100;function sortMeasurements(readings){const decided=readings.filter(({value})=>value!==null).sort(byLargestValue);
return{undecided:readings.filter(({value})=>value===null),decided:Map.groupBy(decided,({value})=>value?.kind==="money"?value.
currency:null)}}function buildFindings(rule,readings){const bound=toBound(rule.limit);const measurements=selectLimitCurrency(
rule,readings);const{undecided,decided}=rule.per==="pull-request"?combineMeasurements(measurements):measurements;const violated=decided.
filter(({value})=>value!==null&&isAboveBound(value,bound));const withOutcome=outcome=>(reading,others)=>toFinding(rule,{
...reading,outcome,others,bound});if(violated.length+undecided.length>0){return[...limitFindings(violated,withOutcome("v\
iolated")),...limitFindings(undecided,withOutcome("undecided"))]}return[withOutcome("passed")(decided[0]??EMPTY_MEASUREMENT,
Math.max(0,decided.length-1))]}var createEmptyPass=rule=>toFinding(rule,{...EMPTY_MEASUREMENT,outcome:"passed",others:0,
bound:toBound(rule.limit)});var createNotApplicable=(rule,mismatch)=>({...toFinding(rule,{...EMPTY_MEASUREMENT,outcome:"\
not_applicable",others:0,bound:toBound(rule.limit)}),mismatch});var EMPTY_MEASUREMENT={subject:null,value:null,because:[]};
function selectLimitCurrency({limit},{undecided,decided}){if(!("amount"in limit))return{undecided,decided:decided.get(null)??
[]};const expected=limit.amount.currency;const others=[...decided].flatMap(([found,readings])=>{const because=[{kind:"ot\
her_currency",found:found??"",expected}];return found===expected?[]:readings.map(({subject})=>({subject,value:null,because}))});
return{undecided:[...others,...undecided],decided:decided.get(expected)??[]}}function combineMeasurements({undecided,decided}){
const because=selectUniqueReasons(undecided.flatMap(reading2=>reading2.because));const isEmpty=undecided.length+decided.
length===0;if(because.length===0&&!isEmpty)return{undecided:[],decided:decided.slice(0,1)};const reasons=isEmpty?[unknown(
"not_read")]:because;const stays2=!isEmpty&&[...undecided,...decided].every(({isRaised:raises})=>raises===false);const reading={
subject:null,value:null,because:reasons,...stays2&&{isRaised:false}};return{undecided:[reading],decided:[]}}var rankValue=value=>{
if(value===null)return Number.NEGATIVE_INFINITY;if(value.kind==="condition")return Number(value.isTrue);return value.kind===
"count"?value.count:value.rough};function byLargestValue(a,b){const[left,right]=[rankValue(a.value),rankValue(b.value)];
return left===right?0:Math.sign(right-left)}function limitFindings(readings,createFinding){const firstReadings=readings.
slice(0,MAX_FINDINGS);const left=readings.length-firstReadings.length;return firstReadings.map((reading,index)=>createFinding(
reading,index===firstReadings.length-1?left:0))}function toFinding(rule,{subject,value,because,items=[],outcome,others,bound,
isRaised:raises}){const{id,limit,per,mandatory,approve}=rule;const isMild=raises===false&&outcome!=="passed";const measured=value===
null?null:toMeasuredValue(value,bound);return{rule:id,outcome,enforce:isMild?"warn":rule.enforce,onUnknown:isMild?"warn":
rule.onUnknown,mandatory,limit,per,subject,others,measured,...isMild&&outcome==="violated"&&{alreadyAbove:true},because,
message:outcome==="violated"?formatMessage(rule,measured):null,items:outcome==="violated"?items:[],waiver:null,approve,approved:false}}
function formatMessage({message},measured){const count2=measured!==null&&"count"in measured?measured.count:null;return message?.
replaceAll("{{count}}",count2===null?"?":String(count2))??null}function measureFact(fact,tell){switch(fact.state){case"known":return toReadings(tell(fact.value));case"absent":return[{
subject:null,value:null,because:[unknown("not_stated")]}];case"stale":return[{subject:null,value:null,because:[unknown("\
unavailable")]}];case"unknown":return[{subject:null,value:null,because:[unknown(fact.reason)]}]}}function toReadings({values,
items,because}){if(because.length>0)return[{subject:null,value:null,because}];return values.map(value=>({subject:null,value,
because:[],items}))}var anomalies={granularities:["pull-request"],parts:[],read:({context})=>measureFact(context.anomalies,({count:count2,items})=>({
values:[{kind:"count",count:count2}],items:items.map(({id,resource})=>`${resource} (${id})`),because:[]}))};var MAX_NAMES=20;var buildLineKey=(...parts)=>JSON.stringify(parts);function createUsageDoubts(report,per,falls=false){const groups=Map.
groupBy(listUsageParts(report,falls),part=>buildPartKey(part,per));return{listWithin:key=>buildUsageDoubts(groups.get(key)??
[]),listOutside:keys=>[...groups].flatMap(([key,parts])=>keys.has(key)?[]:buildUsageDoubts(parts))}}var findReportUsageDoubt=(report,falls=false)=>buildUsageDoubts(
listUsageParts(report,falls));function listUsageParts({usageBased=[],stages},falls){const named=usageBased.filter(one=>isIntroduced(
one)||falls&&!isOpenAfter(one));const unnamed=stages.filter(stage=>(stage.usageBased?.unnamed??0)>0);return[...named.map(
one=>({...one,count:1,name:`${one.workspace}: ${one.address}`})),...unnamed.map(stage=>({count:stage.usageBased?.unnamed??
0,name:null,stage:buildStageKey(stage),currency:stage.currency,module:null,type:null}))]}function buildUsageDoubts(parts){
if(parts.length===0)return[];const names=parts.flatMap(({name})=>name??[]);const count2=parts.reduce((sum2,part)=>sum2+part.
count,0);return[{kind:"usage",count:count2,names:names.slice(0,MAX_NAMES)}]}function buildPartKey({stage,currency,module,
type},per){switch(per){case"pull-request":return buildLineKey(currency);case"stage":return buildLineKey(stage);case"modu\
le":return buildLineKey(currency,module);case"resource-type":return buildLineKey(currency,type)}}var budget={granularities:["pull-request"],parts:[],read:(report,input)=>[measureBudget(report,input)]};function measureBudget(report,input){
const{currency}=input.limit.amount;const{budgetUse}=input.context;const others=budgetUse===null?NO_BUDGET_USE:narrowBudgetUse(
budgetUse,input,report);const own=selectUniqueReasons([...listReportGaps(report),...report.stages.flatMap(stage=>listStageDoubts(
stage,currency)),...findReportUsageDoubt(report)]);const rise=sumKnown(report.stages.map(({change})=>change));const stays2=own.
length===0&&rise!==null&&compare(rise,ZERO)<=0;const trend=stays2?{isRaised:false}:{};const because=selectUniqueReasons(
[...own,...listForeignCosts([...others.workspaces,...others.pulls],currency),...budgetUse===null?[unknown(deriveUnreadReason(
input.context))]:[],...others.unknown.length>0?[unknown("not_estimated")]:[]]);if(because.length>0)return{subject:null,value:null,
because,...trend};const amount=sum([...report.stages.map(({after})=>after??ZERO),...others.workspaces.map(workspace=>workspace.
amount),sumAdditions(others.pulls)]);const value={kind:"money",amount,currency,rough:Number(amount)};return{subject:null,
value,because:[],...trend}}function deriveUnreadReason({local,oneShot}){if(local)return"local_preview";return oneShot?"n\
o_history":"not_read"}var NO_BUDGET_USE={workspaces:[],pulls:[],unknown:[]};function narrowBudgetUse({workspaces,pulls,unknown:missing},input,{
stages}){const touched=new Set(stages.map(buildStageKey));const isIn=stage=>isWorkspaceInScope(input.scope,{workspace:stage.
workspace,name:input.names.getName(stage)});return{workspaces:workspaces.filter(workspace=>!touched.has(buildStageKey(workspace))&&
isIn(workspace)),pulls:pulls.filter(isIn),unknown:missing.filter(isIn)}}function sumAdditions(pulls){const sums=[...Map.
groupBy(pulls,({number})=>number).values()].map(own=>sum(own.map(({amount})=>amount)));return sum(sums.filter(added=>compare(
added,ZERO)>0))}function listStageDoubts(stage,currency){const because=listAfterDoubts(stage);if(because.length>0)return because;
return compareCurrency(stage.currency??"",currency)}var listForeignCosts=(costs,currency)=>costs.flatMap(cost=>cost.amount===
ZERO?[]:compareCurrency(cost.currency,currency));var compareCurrency=(found,expected)=>found===expected?[]:[{kind:"other\
_currency",found,expected}];var createCountRule=measure=>({granularities:["pull-request","stage"],parts:measure.parts,read:(report,input)=>input.per===
"stage"?countByStage(report,input,measure):[countInAll(report,input,measure)]});var createChangeRule=({parts,rows},read)=>{
return createCountRule({parts,rows,countItems:createChangeCount(read)})};var createChangeCount=read=>({counts,countsBecause})=>{
if(counts===null||countsBecause!==null)return{count:null,because:[unknown(countsBecause??"not_read")]};const count2=read(
counts);return{count:count2,because:count2===null?[unknown("too_large")]:[]}};function countByStage(report,input,measure){
const countInput=buildCountInput(report,input);const readings=report.stages.map(stage=>{const counted=measure.countItems(
stage,countInput);const items=counted.items??listItems(report,measure,buildStageKey(stage));return{...buildMeasurement(input.
names.getLabel(stage),[counted]),items}});const gaps=listReportGaps(report);return gaps.length===0?readings:[...readings,
{subject:null,value:null,because:gaps}]}function countInAll(report,input,measure){const gaps={count:0,because:listReportGaps(
report)};const countInput=buildCountInput(report,input);const counted=report.stages.map(stage=>({stage,...measure.countItems(
stage,countInput)}));const hasItems=counted.some(({items:items2})=>items2!==void 0);const items=hasItems?counted.flatMap(
({stage,items:own})=>own??listItems(report,measure,buildStageKey(stage))):listItems(report,measure,null);return{...buildMeasurement(
null,[gaps,...counted]),items}}var buildCountInput=(report,{limit})=>({report,includesExisting:"existing"in limit&&limit.
existing==="include"});var listItems=({rows},{rows:kinds},stage)=>rows.filter(row=>kinds.includes(row.change)&&(stage===
null||row.stage===stage)).map(formatRow);var formatRow=({workspace,address})=>`${workspace}: ${address}`;function buildMeasurement(subject,parts){
const because=selectUniqueReasons(parts.flatMap(({count:count3,because:own})=>count3===null?withUnreadReason(own):own));
if(because.length>0)return{subject,value:null,because};const count2=parts.reduce((sum2,part)=>sum2+(part.count??0),0);return{
subject,value:{kind:"count",count:count2},because}}var withUnreadReason=because=>because.length>0?because:[unknown("not_\
read")];var changes=createChangeRule({parts:[],rows:["deleted","replaced","removed","imported","added","changed"]},({added,changed,
deleted,imported,removed})=>added+changed+deleted+imported+removed);function measureCosts(report,input,measure){const subjects=listSubjects(report,input);const used=createUsageDoubts(report,
input.per,measure.hasDecreaseLimit);const readings=subjects.map(({subject,line,key})=>{const doubts=measure.amount==="af\
ter"?listAfterDoubts(line):listLineDoubts(line);const because=[...doubts,...used.listWithin(key)];const value=because.length===
0?measureLine(line,measure):null;if(value!==null)return{subject,value,because:[],...stays(line,measure)&&{isRaised:false}};
return{subject,value:null,because:because.length>0?because:[unknown("not_stated")]}});const elsewhere=used.listOutside(new Set(
subjects.map(({key})=>key)));const missing=selectUniqueReasons([...listMissingReasons(report,input,measure.amount),...elsewhere]);
return missing.length===0?readings:[...readings,{subject:null,value:null,because:missing}]}function measureLine(line,measure){
const{before,after,change,currency}=line;if(after===null||currency===null)return null;if(measure.amount==="after")return measure.
value({after,currency});return before===null||change===null?null:measure.value({before,after,change,currency})}var stays=({
change},{amount})=>amount==="after"&&change!==null&&compare(change,ZERO)<=0;function listSubjects(report,{per,names}){switch(per){case"\
pull-request":return report.totals.map(line=>({subject:null,line,key:buildLineKey(line.currency)}));case"stage":return report.
stages.map(line=>({subject:names.getLabel(line),line,key:buildLineKey(buildStageKey(line))}));case"module":return report.
modules.flatMap(line=>line.unattributed?[]:[{subject:line.module,line,key:buildLineKey(line.currency,line.module)}]);case"\
resource-type":return report.resourceTypes.flatMap(line=>line.unattributed?[]:[{subject:line.type,line,key:buildLineKey(
line.currency,line.type)}])}}function listMissingReasons(report,{per},amount){const unknownAmounts=report.stages.some(({
narrowed})=>narrowed?.amountsAreWhole===false);const gaps=[...listReportGaps(report),...amount==="after"&&unknownAmounts?
[PARTIAL]:[]];if(per==="stage")return gaps;const doubted=report.stages.flatMap(amount==="after"?listAfterDoubts:listLineDoubts);
if(per==="pull-request")return report.totals.length>0?gaps:[...gaps,...doubted];const lines=per==="module"?report.modules:
report.resourceTypes;const rests=lines.filter(line=>line.unattributed&&!isRounding(line[amount]));const unknownParts=per===
"module"?report.modulesBecause.map(unknown):[];const listless=report.stages.filter(stage=>isListless(stage,per));return[
...gaps,...doubted,...unknownParts,...[...rests,...listless].map(()=>PARTIAL)]}var PARTIAL={kind:"partial"};var isListless=(stage,per)=>{
const{currency,modules,modulesBecause,types}=stage;return currency!==null&&(per==="module"?modules===null&&modulesBecause===
null:types===null)};function createMoneyRule(measure){return{granularities:measure.granularities,parts:measure.amount==="change"?["modules",
"types"]:["modules"],read:(report,input)=>measure.amount==="change"?measureCosts(report,input,{amount:"change",hasDecreaseLimit:measure.
hasDecreaseLimit??false,value:line=>toMoneyValue(measure.read(line),line)}):measureCosts(report,input,{amount:"after",hasDecreaseLimit:false,
value:line=>toMoneyValue(measure.read(line),line)})}}var toMoneyValue=(amount,{currency})=>({kind:"money",amount,currency,
rough:Number(amount)});var decrease=createMoneyRule({granularities:["pull-request","stage","module","resource-type"],amount:"change",hasDecreaseLimit:true,
read:({change})=>negate(change)});var deletions=createChangeRule({parts:["modules","types"],rows:["deleted","replaced"]},({deleted})=>deleted);var drifted=createChangeCount(counts=>counts.drifted);var drift=createCountRule({parts:["modules","types"],rows:["drifte\
d"],countItems:(stage,{report,includesExisting})=>{const all=drifted(stage);const touched=includesExisting||all.count===
null?null:listTouchedDrift(stage,all.count,report);return touched===null?all:{...all,count:touched.length,items:touched.
map(formatRow)}}});function listTouchedDrift({rowsBecause,omittedRows,unreadRows,...stage},count2,{rows}){const own=rows.
filter(row=>row.stage===buildStageKey(stage));const found=own.filter(({change})=>change==="drifted");if(rowsBecause!==null||
omittedRows+unreadRows>0||found.length<count2)return null;const planned=new Set(own.filter(isPlanned2).map(({address})=>address));
return found.filter(({address})=>planned.has(address))}var isPlanned2=({change})=>change!=="drifted"&&change!=="moved";var governanceFailures={granularities:["pull-request"],parts:[],read:({context})=>measureFact(context.governance,({failed})=>({
values:[{kind:"count",count:failed}],items:[],because:[]}))};var increase=createMoneyRule({granularities:["pull-request","stage","module","resource-type"],amount:"change",read:({change})=>change});var missedSavings={granularities:["pull-request"],parts:[],read:({context},{limit})=>measureFact(context.savings,({totals,
items,unmatched})=>({values:totals.length===0?[createZeroValue(limit.amount)]:totals.map(toMoneyValue2),items:listMissedSavings(
{items}).map(({workspace,address})=>`${workspace}: ${address}`),because:unmatched>0?[{kind:"partial"}]:[]}))};var toMoneyValue2=({
amount,currency})=>({kind:"money",amount,currency,rough:Number(amount)});var createZeroValue=({currency})=>({kind:"money",
amount:ZERO,currency,rough:0});var percent={granularities:["pull-request","stage","module","resource-type"],parts:["modules","types"],read:(report,input)=>measureCosts(
report,input,{amount:"change",hasDecreaseLimit:false,value:toPercentValue})};var toPercentValue=({before,change})=>({kind:"\
percent",before,change,rough:before===ZERO?computeRoughFromZero(Number(change)):Number(change)*100/Math.abs(Number(before))});
var computeRoughFromZero=change=>change>0?Number.POSITIVE_INFINITY:Math.min(change,0);var replacements=createChangeRule({parts:["modules","types"],rows:["replaced"]},({replaced})=>replaced);var total=createMoneyRule({granularities:["pull-request","stage","module"],amount:"after",read:({after})=>after});var unitCost={granularities:["pull-request"],parts:[],read:(report,{limit})=>measureFact(report.context.unitCosts,costs=>{
const values=costs.filter(({metric})=>metric===limit.metric).map(computeRatio);const knownValues=values.filter(value=>value!==
null);const isComplete=knownValues.length>0&&knownValues.length===values.length;return{values:knownValues,items:[],because:isComplete?
findReportUsageDoubt(report):[unknown("not_stated")]}})};function computeRatio({before,after}){if(before===null||after===
null)return null;const change=minus(after,before);const rough=before===ZERO?computeRoughFromZero2(Number(change)):Number(
change)*100/Math.abs(Number(before));return{kind:"percent",before,change,rough}}var computeRoughFromZero2=change=>change>
0?Number.POSITIVE_INFINITY:0;var unpriced=createCountRule({parts:["types"],rows:[],countItems:(stage,{report,includesExisting})=>{const because=findUnpricedDoubt(
stage);const count2=stage.unpriced?.count??null;const introduced=includesExisting?null:countIntroduced(stage,report);return{
count:introduced??count2,because:because===null?[]:[unknown(because)]}}});var INTRODUCING_KINDS=["added","changed","repl\
aced","imported"];function countIntroduced({unpriced:found,counts,countsBecause,rowsBecause,...stage},{rows}){if(found===
null||counts===null||countsBecause!==null||rowsBecause!==null)return null;const listed=stage.narrowed?.resources??countResourcesAfter(
counts);if(stage.omittedRows+stage.unreadRows>0||listed<found.count)return null;const own=rows.filter(row=>row.stage===buildStageKey(
stage)&&INTRODUCING_KINDS.includes(row.change));if(own.some(({type})=>type===""))return null;const ofType=Map.groupBy(own,
({type})=>type);return Object.entries(found.types).reduce((sum2,[type,count2])=>sum2+Math.min(count2,ofType.get(type)?.length??
0),0)}function findUsageDoubt({state,because,usageBased}){if(state==="unknown")return because[0]??"not_read";const missing=because.
find(reason=>reason==="not_estimated"||reason==="partly_estimated");if(missing!==void 0)return missing;return usageBased?.
isStated===true?null:"not_stated"}var usage=createCountRule({parts:["modules","types"],rows:[],countItems:(stage,{includesExisting})=>{const because=findUsageDoubt(
stage);if(because!==null||stage.usageBased===void 0)return{count:null,because:[unknown(because??"not_stated")]};const{resources,
unnamed,unnamedUnchanged}=stage.usageBased;const own=resources.filter(one=>includesExisting?isOpenAfter(one):isIntroduced(
one));return{count:own.length+unnamed+(includesExisting?unnamedUnchanged:0),because:[],items:own.map(({address})=>`${stage.
workspace}: ${address}`)}}});function adviseOn(text,error){const{summary,message,range,node}=error;const words=(summary??message??"cannot be read").split(
"\n",1)[0]??"";return findForeignToken(text)??{message:addHint(words,node),offset:range?.start??0}}var TOKENS=/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b(?:and|or|not|AND|OR|NOT)\b(?=[\s(])|===|<>|(?<![=!<>])=(?!=)|(?<!&)&(?!&)|(?<!\|)\|(?!\|)|(?<![[(,\w.] *)\b\d{1,3}(?:,\d{3})+\b|\b\d+(?:\.\d+)? +(?!AND|NOT)[A-Z]{3}\b/g;
var CEL_EQUIVALENTS={and:"&&","&":"&&",or:"||","|":"||",not:"!","=":"==","===":"==","<>":"!="};function findForeignToken(text){
for(const{0:token,index}of text.matchAll(TOKENS)){const meant=CEL_EQUIVALENTS[token.toLowerCase()];if(meant!==void 0)return{
message:`found "${token}", write ${meant}`,offset:index};if(/^\d+,/.test(token))return{message:`found "${token}", write ${token.
replaceAll(",","")}: no thousands separators`,offset:index};if(/^\d/.test(token))return{message:describeCurrencyAdvice(token),
offset:index}}return null}function describeCurrencyAdvice(token){const[amount="",currency=""]=token.split(/ +/);return`f\
ound "${token}", write ${amount}, and ask for the currency with .currency == "${currency}"`}var HINTS=[[/: amount \/|\/ amount$/,
"amounts are never divided; multiply the other side"],[/amount [<>=!]+ string|string [<>=!]+ amount/,"write the amount a\
s a number, such as 500 or 0.5"],[/list\.sum\(\)$/,"write sum(list), of amounts"],[/^List index must be int/,"a list has\
 no members; ask its elements, as in list.exists(x, x.change > 0)"]];function addHint(words,node){const[,complaint="",name=""]=/^([^:]+): (\S+)$/.
exec(words)??[];if(complaint==="Unknown variable")return describeUnknownName(name,"is no variable",Object.keys(VARIABLES));
if(complaint==="No such key")return describeUnknownMember(name,node);const hint=HINTS.find(([pattern])=>pattern.test(words))?.[1];
return hint===void 0?words:`${words} (${hint})`}function describeUnknownMember(name,node){const[accessed]=Array.isArray(
node?.args)?node.args:[];const type=accessed?.checkedType?.name;const members=typeof type==="string"&&Object.hasOwn(TYPES2,
type)?TYPES2[type]:null;if(members===null)return`"${name}" is no member of this`;return describeUnknownName(name,`is no \
member of ${String(type)}`,Object.keys(members))}function describeUnknownName(name,complaint,known){const meant=suggestChoice(
name,known);return`"${name}" ${complaint}${meant===null?"":` (did you mean ${meant}?)`}; there are ${known.join(", ")}`}var FOLD_CASE=1;var LITERAL=2;var CLASS_NL=4;var DOT_NL=8;var ONE_LINE=16;var NON_GREEDY=32;var PERL_X=64;var UNICODE_GROUPS=128;
var WAS_DOLLAR=256;var MATCH_NL=CLASS_NL|DOT_NL;var PERL=CLASS_NL|ONE_LINE|PERL_X|UNICODE_GROUPS;var UNANCHORED=0;var ANCHOR_START=1;var ANCHOR_BOTH=2;var UnicodeRangeTable=class{data;isStride1;SIZE;constructor(data,isStride1=false){this.data=data;this.isStride1=isStride1;
this.SIZE=isStride1?2:3}getLo(index){return this.data[index*this.SIZE]}getHi(index){return this.data[index*this.SIZE+1]}getStride(index){
return this.isStride1?1:this.data[index*this.SIZE+2]}get(index){const i=index*this.SIZE;return[this.data[i],this.data[i+
1],this.getStride(index)]}get length(){return this.data.length/this.SIZE}};var _B64_MAP=null;var getB64Map=()=>{if(!_B64_MAP){_B64_MAP=new Uint8Array(256);const b="ABCDEFGHIJKLMNOPQRSTUVWXYZabcde\
fghijklmnopqrstuvwxyz0123456789+-";for(let i=0;i<64;i++){_B64_MAP[b.charCodeAt(i)]=i}}return _B64_MAP};var decodeVLQ=str=>{
const b64=getB64Map();const res=[];let value=0,shift=0;for(let i=0;i<str.length;i++){const digit=b64[str.charCodeAt(i)];
value|=(digit&31)<<shift;if((digit&32)===0){res.push(value);value=0;shift=0}else{shift+=5}}return res};var decodeRanges=(str,isStride1)=>{
if(str.length===0)return new Uint32Array(0);const res=decodeVLQ(str);const numRanges=isStride1?res.length/2:res.length/3;
const out=new Uint32Array(numRanges*3);let current=0,resIdx=0;for(let i=0;i<numRanges;i++){current+=res[resIdx++];out[i*
3]=current;current+=res[resIdx++];out[i*3+1]=current;out[i*3+2]=isStride1?1:res[resIdx++]}return out};var decodeOrbit=str=>{
const res=decodeVLQ(str);const map=new Map;let currentKey=0;for(let i=0;i<res.length;i+=2){currentKey+=res[i];map.set(currentKey,
res[i+1])}return map};var mergeRanges=(a,b)=>{if(b.length===0)return a;if(a.length===0)return b;const points=[];const push=arr=>{
for(let i=0;i<arr.length;i+=3){const lo=arr[i],hi=arr[i+1],stride=arr[i+2];if(stride===1){points.push([lo,hi])}else{for(let cp=lo;cp<=
hi;cp+=stride)points.push([cp,cp])}}};push(a);push(b);points.sort((x,y)=>x[0]-y[0]);const merged=[];for(const[lo,hi]of points){
const last=merged[merged.length-1];if(last&&last[1]+1>=lo){if(hi>last[1])last[1]=hi}else{merged.push([lo,hi])}}const out=new Uint32Array(
merged.length*3);for(let i=0;i<merged.length;i++){out[i*3]=merged[i][0];out[i*3+1]=merged[i][1];out[i*3+2]=1}return out};
var sweepPlatform=pattern=>{const re=new RegExp(pattern,"u");const ranges=[];let start=-1;for(let cp=0;cp<=1114111;cp++){
if(re.test(String.fromCodePoint(cp))){if(start<0)start=cp}else if(start>=0){ranges.push(start,cp-1,1);start=-1}}if(start>=
0)ranges.push(start,1114111,1);return Uint32Array.from(ranges)};var LazyDecoder=class{initializer;cache;constructor(initializer){
this.initializer=initializer;this.cache=new Map}has(key){return key in this.initializer}get(key){const cached=this.cache.
get(key);if(cached!==void 0||this.cache.has(key)){return cached??null}const fn=this.initializer[key];const val=fn?fn():null;
this.cache.set(key,val);return val}};var _CASE_ORBIT=null;var getCASE_ORBIT=()=>{if(!_CASE_ORBIT){_CASE_ORBIT=decodeOrbit(
"rDqpII-LsD+0HGrpIsCxJzElODoODrOnByP-Mz+HTieNj-HCweD1fDxeB+9HBwfC1FE2eBxfBjeE1eDmpII0fjB4c+BgkHChkHKikHDjkHBkkHImkHZnkHh\
hGlkH9O70H-Io8HBp8HBq8HBr8HBs8HBt8HBu8HBv8HJ48HB58HB68HB78HB88HB98HB+8HB-8HJo9HBp9HBq9HBr9HBs9HBt9HBu9HBv9HM89HLlaFs+HQw\
cQwdQ8-HzJpdErCBlGgphBokHjMu+pBBv+pBDy+pBBz+pBB0+pBB1+pBw5Um4+BBl4+B68cg17CBh17CBi17CBj17CBk17CBl17CBm17CBn17CBo17CBp17C\
Bq17CBr17CBs17CBt17CBu17CBv17CBw17CBx17CBy17CBz17CB017CB117CB217CB317CB417CD717CB817CB917CB+17CB-17CBg27CBh27CBi27CBj27C\
Bk27CBl27CBm27CBn27CBo27CBp27CBq27CBr27CBs27CBt27CBu27CBv27CBw27CBx27CBy27CBz27C")}return _CASE_ORBIT};var _DELTA_CATEGORIES=new LazyDecoder(
{L:()=>decodeRanges("pkHBBh6iBCBNCBkvXzBB36BbBKWB9JCB8lBJBCDDClBBCaaCt-Bt-BBfBgkG68DBmoHdBjhDsBBz8HxmWxmWBcBDgwhCgwhCBsT\
B",false),LC:()=>decodeRanges("pkHBh6iBCNC0rZVLV",true),Ll:()=>decodeRanges("qkHj6iBj6iBO1sZ1sZBUB",false),Lm:()=>decodeRanges(
"uqjChBhBx+XCBpBBB",false),Lo:()=>decodeRanges("guhCzBB36BDBCzLzLBBB8lBJBCDDClBBCaaCt-Bt-BBfBgkG68DBmoHdBmhDnBB18HxmWxmW\
BcBDgwhCgwhCBsTB",false),Lu:()=>decodeRanges("pkHi6iBi6iBBOOC0rZ0rZBUB",false),M:()=>decodeRanges("3kCymhCymhCBDBvM8lB8l\
BBHBCDDCDBCEBCPPB47C47CkuQRB-lhBBB",false),Mc:()=>decodeRanges("49kCCBIDDCDBCBBCvavaswSCB",false),Mn:()=>decodeRanges("3\
kCymhCymhCBDBvM-lB-lBBEBOECPBB47CkuQkuQBKBECB-lhBBB",false),N:()=>decodeRanges("gqjCJnsCTtoBJ3pRJ3hDJ37XJ4nGJ",true),Nd:()=>decodeRanges(
"gqjCJnsCTtoBJ3pRJ3hDJ37XJ4nGJ",true),P:()=>decodeRanges("u6GBBwBvv8Bvv8BmzBBBCBBpgCssUssUBBBwkeAB",false),Pd:()=>decodeRanges(
"urjCA",true),Po:()=>decodeRanges("u6GBBwB1i+B1i+BBCCBpgCpgCssUCBwkeAB",false),S:()=>decodeRanges("nhJCBz+CDBlPBBK-82B-8\
2BBxzvBxzvBBuHBRzNB-vKJBFBBoOGGvBIIWDDKiHiHBjBB",false),Sm:()=>decodeRanges("usjCB",true),So:()=>decodeRanges("nhJCBz+CD\
BlPBBKxwmDxwmDBuHBRzNB-vKJBFBBoOGGvBIIWDDKiHiHBjBB",false)});var _DELTA_SCRIPTS=new LazyDecoder({Arabic:()=>decodeRanges(
"3kCrxhCrxhCBBB4BAB",false),Balinese:()=>decodeRanges("u6GBwBA",true),Common:()=>decodeRanges("nhJCBz+CDBlPBBKxwmDxwmDB4\
HBHzNB-vKJBFBBoOGGvBIIWDDKiHiHBjBB",false),Cyrillic:()=>decodeRanges("pkHB",true),Egyptian_Hieroglyphs:()=>decodeRanges(
"gjtC68D",true),Han:()=>decodeRanges("w-6FtT",true),Kawi:()=>decodeRanges("66nCA",true),Khitan_Small_Script:()=>decodeRanges(
"-njDA",true),Latin:()=>decodeRanges("r+pBCNC",true),Myanmar:()=>decodeRanges("w2lCT",true)});var _NEW_SCRIPTS=new LazyDecoder(
{Garay:()=>new UnicodeRangeTable(decodeRanges("gqjClBEcJB",true)),Gurung_Khema:()=>new UnicodeRangeTable(decodeRanges("g\
o4C5B",true)),Kirat_Rai:()=>new UnicodeRangeTable(decodeRanges("gq7C5B",true)),Ol_Onal:()=>new UnicodeRangeTable(decodeRanges(
"wu5DqBFA",true)),Sunuwar:()=>new UnicodeRangeTable(decodeRanges("g+mChBPJ",true)),Todhri:()=>new UnicodeRangeTable(decodeRanges(
"guhCzB",true)),Tulu_Tigalari:()=>new UnicodeRangeTable(decodeRanges("g8kCJBCDDClBBCJBCDDCDBCJBCBBJBB",false))});var STABLE_CATEGORY_NAMES=new Set(
["C","Cc","Cf","Cn","Co","Cs","L","LC","Ll","Lm","Lo","Lt","Lu","M","Mc","Me","Mn","N","Nd","Nl","No","P","Pc","Pd","Pe",
"Pf","Pi","Po","Ps","S","Sc","Sk","Sm","So","Z","Zl","Zp","Zs"]);var STABLE_SCRIPT_NAMES=new Set(["Adlam","Ahom","Anatol\
ian_Hieroglyphs","Arabic","Armenian","Avestan","Balinese","Bamum","Bassa_Vah","Batak","Bengali","Bhaiksuki","Bopomofo","\
Brahmi","Braille","Buginese","Buhid","Canadian_Aboriginal","Carian","Caucasian_Albanian","Chakma","Cham","Cherokee","Cho\
rasmian","Common","Coptic","Cuneiform","Cypriot","Cypro_Minoan","Cyrillic","Deseret","Devanagari","Dives_Akuru","Dogra",
"Duployan","Egyptian_Hieroglyphs","Elbasan","Elymaic","Ethiopic","Georgian","Glagolitic","Gothic","Grantha","Greek","Guj\
arati","Gunjala_Gondi","Gurmukhi","Han","Hangul","Hanifi_Rohingya","Hanunoo","Hatran","Hebrew","Hiragana","Imperial_Aram\
aic","Inherited","Inscriptional_Pahlavi","Inscriptional_Parthian","Javanese","Kaithi","Kannada","Katakana","Kawi","Kayah\
_Li","Kharoshthi","Khitan_Small_Script","Khmer","Khojki","Khudawadi","Lao","Latin","Lepcha","Limbu","Linear_A","Linear_B",
"Lisu","Lycian","Lydian","Mahajani","Makasar","Malayalam","Mandaic","Manichaean","Marchen","Masaram_Gondi","Medefaidrin",
"Meetei_Mayek","Mende_Kikakui","Meroitic_Cursive","Meroitic_Hieroglyphs","Miao","Modi","Mongolian","Mro","Multani","Myan\
mar","Nabataean","Nag_Mundari","Nandinagari","New_Tai_Lue","Newa","Nko","Nushu","Nyiakeng_Puachue_Hmong","Ogham","Ol_Chi\
ki","Old_Hungarian","Old_Italic","Old_North_Arabian","Old_Permic","Old_Persian","Old_Sogdian","Old_South_Arabian","Old_T\
urkic","Old_Uyghur","Oriya","Osage","Osmanya","Pahawh_Hmong","Palmyrene","Pau_Cin_Hau","Phags_Pa","Phoenician","Psalter_\
Pahlavi","Rejang","Runic","Samaritan","Saurashtra","Sharada","Shavian","Siddham","SignWriting","Sinhala","Sogdian","Sora\
_Sompeng","Soyombo","Sundanese","Syloti_Nagri","Syriac","Tagalog","Tagbanwa","Tai_Le","Tai_Tham","Tai_Viet","Takri","Tam\
il","Tangsa","Tangut","Telugu","Thaana","Thai","Tibetan","Tifinagh","Tirhuta","Toto","Ugaritic","Unknown","Vai","Vithkuq\
i","Wancho","Warang_Citi","Yezidi","Yi","Zanabazar_Square"]);var NEW_SCRIPT_NAMES=new Set(["Garay","Gurung_Khema","Kirat\
_Rai","Ol_Onal","Sunuwar","Todhri","Tulu_Tigalari"]);var _sweepCache=new Map;var _foldCache=new Map;var buildForProperty=name=>{
if(NEW_SCRIPT_NAMES.has(name)){return _NEW_SCRIPTS.get(name)}let kind=null;let pattern=null;if(STABLE_CATEGORY_NAMES.has(
name)){kind="category";pattern=`\\p{General_Category=${name}}`}else if(STABLE_SCRIPT_NAMES.has(name)){kind="script";pattern=
`\\p{Script=${name}}`}else return null;const cacheKey=`${kind}:${name}`;const cached=_sweepCache.get(cacheKey);if(cached)
return cached;const base=sweepPlatform(pattern);const delta=kind==="category"?_DELTA_CATEGORIES.get(name):_DELTA_SCRIPTS.
get(name);const merged=delta?mergeRanges(base,delta):base;const table=new UnicodeRangeTable(merged);_sweepCache.set(cacheKey,
table);return table};var buildFoldOverlay=name=>{const cached=_foldCache.get(name);if(cached!==void 0)return cached;const base=buildForProperty(
name);if(!base){_foldCache.set(name,null);return null}const inBase=r=>{let lo=0,hi=base.length;while(lo<hi){const m=lo+hi>>
1;const rlo=base.getLo(m),rhi=base.getHi(m);if(r<rlo)hi=m;else if(r>rhi)lo=m+1;else return(r-rlo)%base.getStride(m)===0}
return false};const orbit=getCASE_ORBIT();const simpleFold2=r=>{const folded=orbit.get(r);if(folded!==void 0)return folded;
const s=String.fromCodePoint(r);const lower=s.toLowerCase();if(lower.length===s.length){const lowerCp=lower.codePointAt(
0);if(lowerCp!==void 0&&lowerCp!==r)return lowerCp}const upper=s.toUpperCase();if(upper.length===s.length){const upperCp=upper.
codePointAt(0);if(upperCp!==void 0&&upperCp!==r)return upperCp}return r};const extras=new Set;for(let i=0;i<base.length;i++){
const lo=base.getLo(i),hi=base.getHi(i),stride=base.getStride(i);for(let cp=lo;cp<=hi;cp+=stride){let r=simpleFold2(cp);
while(r!==cp){if(!inBase(r))extras.add(r);r=simpleFold2(r)}}}if(extras.size===0){_foldCache.set(name,null);return null}const sorted=Array.
from(extras).sort((a,b)=>a-b);const merged=[];for(const cp of sorted){const last=merged[merged.length-1];if(last&&last[1]+
1===cp)last[1]=cp;else merged.push([cp,cp])}const out=new Uint32Array(merged.length*3);for(let i=0;i<merged.length;i++){
out[i*3]=merged[i][0];out[i*3+1]=merged[i][1];out[i*3+2]=1}const table=new UnicodeRangeTable(out);_foldCache.set(name,table);
return table};var getUpper=()=>{const table=buildForProperty("Lu");if(table===null){throw new Error("Upper: missing Lu p\
roperty")}return table};var UnicodeTables={get CASE_ORBIT(){return getCASE_ORBIT()},STABLE_CATEGORY_NAMES,STABLE_SCRIPT_NAMES,
NEW_SCRIPT_NAMES,buildForProperty,buildFoldOverlay,CATEGORIES:{has:name=>STABLE_CATEGORY_NAMES.has(name),get:name=>buildForProperty(
name)},SCRIPTS:{has:name=>STABLE_SCRIPT_NAMES.has(name)||NEW_SCRIPT_NAMES.has(name),get:name=>buildForProperty(name)},FOLD_CATEGORIES:{
has:name=>STABLE_CATEGORY_NAMES.has(name),get:name=>buildFoldOverlay(name)},FOLD_SCRIPT:{has:name=>STABLE_SCRIPT_NAMES.has(
name)||NEW_SCRIPT_NAMES.has(name),get:name=>buildFoldOverlay(name)},get Upper(){return getUpper()},_deltaCategoryRanges:name=>_DELTA_CATEGORIES.
get(name),_deltaScriptRanges:name=>_DELTA_SCRIPTS.get(name),_newScriptTable:name=>_NEW_SCRIPTS.get(name)};var MAX_RUNE=1114111;var MAX_ASCII=127;var MAX_BMP=65535;var MIN_FOLD=65;var MAX_FOLD=125251;var MIN_HIGH_SURROGATE=55296;var MAX_HIGH_SURROGATE=56319;var MIN_LOW_SURROGATE=56320;
var MAX_LOW_SURROGATE=57343;var MIN_SUPPLEMENTARY_CODE_POINT=65536;function simpleFold(r){const caseOrbit=UnicodeTables.CASE_ORBIT;const folded=caseOrbit.get(r);if(folded!==void 0){return folded}
const s=String.fromCodePoint(r);const lower=s.toLowerCase();if(lower.length===s.length){const lowerCp=lower.codePointAt(
0);if(lowerCp!==void 0&&lowerCp!==r)return lowerCp}const upper=s.toUpperCase();if(upper.length===s.length){const upperCp=upper.
codePointAt(0);if(upperCp!==void 0&&upperCp!==r)return upperCp}return r}function equalsIgnoreCase(r1,r2){if(r1<0||r2<0){
return false}if(r1===r2){return true}if(r1<=MAX_ASCII&&r2<=MAX_ASCII){if(65<=r1&&r1<=90){r1|=32}if(65<=r2&&r2<=90){r2|=32}
return r1===r2}for(let r=simpleFold(r1);r!==r1;r=simpleFold(r)){if(r===r2){return true}}return false}var codePointAtOrThrow=(s,i)=>{const cp=s.codePointAt(i);if(cp===void 0){throw new Error(`codePointAt(${i}) returned und\
efined for ${JSON.stringify(s)}`)}return cp};var METACHARACTERS="\\.+*?()|[]{}^$";var EMPTY_BEGIN_LINE=1;var EMPTY_END_LINE=2;var EMPTY_BEGIN_TEXT=4;var EMPTY_END_TEXT=8;
var EMPTY_WORD_BOUNDARY=16;var EMPTY_NO_WORD_BOUNDARY=32;function emptyInts(){return[]}function isalnum(c){return 48<=c&&
c<=57||97<=c&&c<=122||65<=c&&c<=90}function unhex(c){if(48<=c&&c<=57){return c-48}if(97<=c&&c<=102){return c-97+10}if(65<=
c&&c<=70){return c-65+10}return-1}function stringToRunes(str){return Array.from(String(str)).map(s=>codePointAtOrThrow(s,
0))}function runeToString(r){return String.fromCodePoint(r)}function isWordRune(r){return 97<=r&&r<=122||65<=r&&r<=90||48<=
r&&r<=57||r===95}function emptyOpContext(r1,r2){let op=0;if(r1<0){op|=EMPTY_BEGIN_TEXT|EMPTY_BEGIN_LINE}if(r1===10){op|=
EMPTY_BEGIN_LINE}if(r2<0){op|=EMPTY_END_TEXT|EMPTY_END_LINE}if(r2===10){op|=EMPTY_END_LINE}if(isWordRune(r1)!==isWordRune(
r2)){op|=EMPTY_WORD_BOUNDARY}else{op|=EMPTY_NO_WORD_BOUNDARY}return op}function quoteMeta(str){return str.split("").map(
s=>{if(METACHARACTERS.indexOf(s)>=0){return`\\${s}`}return s}).join("")}function charCount(codePoint){return codePoint>MAX_BMP?
2:1}var MachineUTF16Input=class _MachineUTF16Input{charSequence;start;end;constructor(charSequence,start=0,end=charSequence.
length){this.charSequence=charSequence;this.start=start;this.end=end}static EOF(){return-1<<3}endPos(){return this.end}hasString(prefilter,pos){
const idx=this.charSequence.indexOf(prefilter.str,this.start+pos);return idx!==-1&&idx<=this.end-prefilter.str.length}step(pos){
pos+=this.start;if(pos>=this.end){return _MachineUTF16Input.EOF()}const c1=this.charSequence.charCodeAt(pos);if(c1<MIN_HIGH_SURROGATE||
c1>MAX_HIGH_SURROGATE||pos+1>=this.end){return c1<<3|1}const c2=this.charSequence.charCodeAt(pos+1);if(c2>=MIN_LOW_SURROGATE&&
c2<=MAX_LOW_SURROGATE){const rune=(c1-MIN_HIGH_SURROGATE)*1024+(c2-MIN_LOW_SURROGATE)+MIN_SUPPLEMENTARY_CODE_POINT;return rune<<
3|2}return c1<<3|1}index(re2,pos){pos+=this.start;const i=this.charSequence.indexOf(re2.prefix,pos);return i<0?i:i-pos}context(pos){
pos+=this.start;const r1=pos>0&&pos<=this.charSequence.length?this.charSequence.codePointAt(pos-1):-1;const r2=pos<this.
charSequence.length?this.charSequence.codePointAt(pos):-1;if(r1===void 0||r2===void 0){throw new Error("invalid state")}
return emptyOpContext(r1,r2)}prefixLength(re2){return re2.prefix.length}};function fromUTF16(charSequence,start=0,end=charSequence.
length){return new MachineUTF16Input(charSequence,start,end)}var Inst=class _Inst{static ALT=1;static ALT_MATCH=2;static CAPTURE=3;static EMPTY_WIDTH=4;static FAIL=5;static MATCH=6;static NOP=7;static RUNE=8;static RUNE1=9;static RUNE_ANY=10;static RUNE_ANY_NOT_NL=11;op;out;arg;runes;static isRuneOp(op){
return _Inst.RUNE<=op&&op<=_Inst.RUNE_ANY_NOT_NL}constructor(op){this.op=op;this.out=0;this.arg=0;this.runes=[]}matchRune(r){
if(this.runes.length===1){const r0=this.runes[0];if((this.arg&FOLD_CASE)!==0){return equalsIgnoreCase(r0,r)}return r===r0}
const len=this.runes.length;if(len===2||len===4||len===6||len===8){for(let j=0;j<len;j+=2){if(r<this.runes[j]){return false}
if(r<=this.runes[j+1]){return true}}return false}let lo=0;let hi=this.runes.length/2|0;while(lo<hi){const m=lo+hi>>1;const c=this.
runes[2*m];if(c<=r){if(r<=this.runes[2*m+1]){return true}lo=m+1}else{hi=m}}return false}};var hashPCs=pcs=>{let h=-2128831035;for(let i=0;i<pcs.length;i++){h^=pcs[i];h=Math.imul(h,16777619)}return h};var arraysEqual=(a,b)=>{
if(a.length!==b.length)return false;for(let i=0;i<a.length;i++){if(a[i]!==b[i])return false}return true};var DFAState=class{nfaStates;isMatch;hasEmptyWidth;matchIDs;nextAscii;nextMap;constructor(nfaStates,isMatch,hasEmptyWidth,matchIDs=[]){
this.nfaStates=nfaStates;this.isMatch=isMatch;this.hasEmptyWidth=hasEmptyWidth;this.matchIDs=matchIDs;this.nextAscii=new Array(
MAX_ASCII+1).fill(null);this.nextMap=new Map}};var DFA=class _DFA{prog;stateCache;stateCount;startState;stateLimit;cacheClears;failed;static MAX_CACHE_CLEARS=5;constructor(prog){
this.prog=prog;this.stateCache=new Map;this.stateCount=0;this.startState=null;this.stateLimit=1e4;this.cacheClears=0;this.
failed=false}computeClosure(pcs){const closure=new Set;const stack=[...pcs];let isMatch=false;let hasEmptyWidth=false;const matchIDs=[];
while(stack.length>0){const pc=stack.pop();if(pc===void 0){throw new Error("invalid state")}if(closure.has(pc))continue;
closure.add(pc);const inst=this.prog.getInst(pc);switch(inst.op){case Inst.MATCH:isMatch=true;if(!matchIDs.includes(inst.
arg))matchIDs.push(inst.arg);break;case Inst.ALT:case Inst.ALT_MATCH:stack.push(inst.out);stack.push(inst.arg);break;case Inst.
NOP:case Inst.CAPTURE:stack.push(inst.out);break;case Inst.EMPTY_WIDTH:hasEmptyWidth=true;break}}const sortedPCs=Int32Array.
from(closure).sort();matchIDs.sort((a,b)=>a-b);return{pcs:sortedPCs,isMatch,hasEmptyWidth,matchIDs}}resolveEmptyWidth(nfaStates,context){
const resolved=new Set;const stack=[];let isMatch=false;for(let i=0;i<nfaStates.length;i++){const pc=nfaStates[i];const inst=this.
prog.getInst(pc);if(inst.op===Inst.EMPTY_WIDTH){if((inst.arg&~context)===0){stack.push(inst.out)}}else{resolved.add(pc);
if(inst.op===Inst.MATCH){isMatch=true}}}while(stack.length>0){const pc=stack.pop();if(pc===void 0){throw new Error("inva\
lid state")}if(resolved.has(pc))continue;resolved.add(pc);const inst=this.prog.getInst(pc);switch(inst.op){case Inst.MATCH:
isMatch=true;break;case Inst.ALT:case Inst.ALT_MATCH:stack.push(inst.out);stack.push(inst.arg);break;case Inst.NOP:case Inst.
CAPTURE:stack.push(inst.out);break;case Inst.EMPTY_WIDTH:if((inst.arg&~context)===0){stack.push(inst.out)}break}}return{
resolvedPCs:resolved,isMatch}}getState(pcs){const closureResult=this.computeClosure(pcs);const sortedPCs=closureResult.pcs;
const hash=hashPCs(sortedPCs);let bucket=this.stateCache.get(hash);if(bucket){for(let i=0;i<bucket.length;i++){const state2=bucket[i];
if(arraysEqual(state2.nfaStates,sortedPCs)){return state2}}}else{bucket=[];this.stateCache.set(hash,bucket)}if(this.failed)
return null;if(this.stateCount>=this.stateLimit){this.stateCache.clear();this.stateCount=0;this.startState=null;this.cacheClears++;
if(this.cacheClears>=_DFA.MAX_CACHE_CLEARS){this.failed=true}return null}const state=new DFAState(sortedPCs,closureResult.
isMatch,closureResult.hasEmptyWidth,closureResult.matchIDs);bucket.push(state);this.stateCount++;return state}step(state,charCode,anchor,context){
let cacheKey=0;if(state.hasEmptyWidth){cacheKey=charCode*128+(context&63)*2+(anchor===UNANCHORED?0:1);const cached=state.
nextMap.get(cacheKey);if(cached!==void 0||state.nextMap.has(cacheKey)){return cached??null}}else{if(anchor===UNANCHORED&&
charCode<=MAX_ASCII){const next=state.nextAscii[charCode];if(next!==null){return next}}else{cacheKey=charCode+(anchor===
UNANCHORED?0:MAX_RUNE+1);const cached=state.nextMap.get(cacheKey);if(cached!==void 0||state.nextMap.has(cacheKey)){return cached??
null}}}let activePCs;if(state.hasEmptyWidth){const{resolvedPCs}=this.resolveEmptyWidth(state.nfaStates,context);activePCs=
resolvedPCs}else{activePCs=state.nfaStates}const nextPCs=[];const iterPCs=activePCs instanceof Set?activePCs:state.nfaStates;
for(const pc of iterPCs){const inst=this.prog.getInst(pc);if(Inst.isRuneOp(inst.op)&&inst.matchRune(charCode)){nextPCs.push(
inst.out)}}if(anchor===UNANCHORED){nextPCs.push(this.prog.start)}const nextState=this.getState(nextPCs);if(state.hasEmptyWidth){
state.nextMap.set(cacheKey,nextState)}else if(anchor===UNANCHORED&&charCode<=MAX_ASCII){state.nextAscii[charCode]=nextState}else{
cacheKey=charCode+(anchor===UNANCHORED?0:MAX_RUNE+1);state.nextMap.set(cacheKey,nextState)}return nextState}match(input,pos,anchor){
if(!this.startState){this.startState=this.getState([this.prog.start]);if(!this.startState)return null}const endPos=input.
endPos();let currentState=this.startState;let prevRune=-1;if(pos>0){const r=input.step(pos-1)>>3;if(r>=0)prevRune=r}if(currentState.
isMatch){if(anchor===ANCHOR_BOTH){if(pos===endPos)return true}else{return true}}let i=pos;while(i<endPos){const r=input.
step(i);const rune=r>>3;const width=r&7;if(width===0)break;const context=emptyOpContext(prevRune,rune);if(currentState.hasEmptyWidth){
const{isMatch}=this.resolveEmptyWidth(currentState.nfaStates,context);if(isMatch){if(anchor===ANCHOR_BOTH){}else{return true}}}
if(!currentState.hasEmptyWidth&&anchor===UNANCHORED&&rune<=MAX_ASCII){currentState=currentState.nextAscii[rune]||this.step(
currentState,rune,anchor,context)}else{currentState=this.step(currentState,rune,anchor,context)}if(currentState===null)return null;
if(currentState.isMatch){if(anchor===ANCHOR_BOTH){if(i+width===endPos)return true}else{return true}}if(currentState.nfaStates.
length===0){if(anchor!==UNANCHORED)return false}prevRune=rune;i+=width}if(currentState.hasEmptyWidth){const endContext=emptyOpContext(
prevRune,-1);const{isMatch}=this.resolveEmptyWidth(currentState.nfaStates,endContext);if(isMatch)return true}return false}};var Regexp=class _Regexp{static Op={NO_MATCH:0,EMPTY_MATCH:1,LITERAL:2,CHAR_CLASS:3,ANY_CHAR_NOT_NL:4,ANY_CHAR:5,BEGIN_LINE:6,
END_LINE:7,BEGIN_TEXT:8,END_TEXT:9,WORD_BOUNDARY:10,NO_WORD_BOUNDARY:11,CAPTURE:12,STAR:13,PLUS:14,QUEST:15,REPEAT:16,CONCAT:17,
ALTERNATE:18,LEFT_PAREN:19,VERTICAL_BAR:20};static isPseudoOp(op){return op>=_Regexp.Op.LEFT_PAREN}static emptySubs(){return[]}static fromRegexp(re){
const regex=new _Regexp(re.op);regex.flags=re.flags;regex.subs=re.subs;regex.runes=re.runes;regex.cap=re.cap;regex.min=re.
min;regex.max=re.max;regex.name=re.name;regex.namedGroups=re.namedGroups;return regex}op;flags;subs;runes;min;max;cap;name;namedGroups;constructor(op){
this.op=op;this.flags=0;this.subs=_Regexp.emptySubs();this.runes=[];this.min=0;this.max=0;this.cap=0;this.name=null;this.
namedGroups=new Map}reinit(){this.flags=0;this.subs=_Regexp.emptySubs();this.runes=[];this.cap=0;this.min=0;this.max=0;this.
name=null;this.namedGroups=new Map}maxCap(){let m=0;if(this.op===_Regexp.Op.CAPTURE){m=this.cap}if(this.subs!==null){for(let sub of this.
subs){const n=sub.maxCap();if(m<n){m=n}}}return m}};var Prefilter=class _Prefilter{type;subs;str;static Type={NONE:0,EXACT:1,AND:2,OR:3};constructor(type){this.type=type;this.
subs=[];this.str=""}eval(input,pos){switch(this.type){case _Prefilter.Type.NONE:return true;case _Prefilter.Type.EXACT:return input.
hasString(this,pos);case _Prefilter.Type.AND:for(let i=0;i<this.subs.length;i++){if(!this.subs[i].eval(input,pos))return false}
return true;case _Prefilter.Type.OR:for(let i=0;i<this.subs.length;i++){if(this.subs[i].eval(input,pos))return true}return false;default:
return true}}};var fromRegexp=re=>{if(!re)return new Prefilter(Prefilter.Type.NONE);switch(re.op){case Regexp.Op.NO_MATCH:case Regexp.
Op.EMPTY_MATCH:case Regexp.Op.BEGIN_LINE:case Regexp.Op.END_LINE:case Regexp.Op.BEGIN_TEXT:case Regexp.Op.END_TEXT:case Regexp.
Op.WORD_BOUNDARY:case Regexp.Op.NO_WORD_BOUNDARY:case Regexp.Op.CHAR_CLASS:case Regexp.Op.ANY_CHAR_NOT_NL:case Regexp.Op.
ANY_CHAR:{return new Prefilter(Prefilter.Type.NONE)}case Regexp.Op.LITERAL:{if(re.runes.length===0||(re.flags&FOLD_CASE)!==
0){return new Prefilter(Prefilter.Type.NONE)}const pf=new Prefilter(Prefilter.Type.EXACT);let str="";for(let i=0;i<re.runes.
length;i++){str+=String.fromCodePoint(re.runes[i])}pf.str=str;return pf}case Regexp.Op.CAPTURE:case Regexp.Op.PLUS:{return fromRegexp(
re.subs[0])}case Regexp.Op.REPEAT:{if(re.min>=1){return fromRegexp(re.subs[0])}return new Prefilter(Prefilter.Type.NONE)}case Regexp.
Op.CONCAT:{const pf=new Prefilter(Prefilter.Type.AND);for(const sub of re.subs){pf.subs.push(fromRegexp(sub))}return pf}case Regexp.
Op.ALTERNATE:{const pf=new Prefilter(Prefilter.Type.OR);for(const sub of re.subs){pf.subs.push(fromRegexp(sub))}return pf}default:
return new Prefilter(Prefilter.Type.NONE)}};var simplify=pf=>{if(pf.type===Prefilter.Type.EXACT||pf.type===Prefilter.Type.
NONE){return pf}if(pf.type===Prefilter.Type.AND){const newSubs=[];for(const sub of pf.subs){const s=simplify(sub);if(s.type!==
Prefilter.Type.NONE){if(s.type===Prefilter.Type.AND){newSubs.push(...s.subs)}else{newSubs.push(s)}}}if(newSubs.length===
0)return new Prefilter(Prefilter.Type.NONE);if(newSubs.length===1)return newSubs[0];pf.subs=newSubs;return pf}if(pf.type===
Prefilter.Type.OR){const newSubs=[];for(const sub of pf.subs){const s=simplify(sub);if(s.type===Prefilter.Type.NONE){return new Prefilter(
Prefilter.Type.NONE)}if(s.type===Prefilter.Type.OR){newSubs.push(...s.subs)}else{newSubs.push(s)}}if(newSubs.length===0)
return new Prefilter(Prefilter.Type.NONE);if(newSubs.length===1)return newSubs[0];const seen=new Set;const uniqueSubs=[];
for(const sub of newSubs){if(sub.type===Prefilter.Type.EXACT){if(!seen.has(sub.str)){seen.add(sub.str);uniqueSubs.push(sub)}}else{
uniqueSubs.push(sub)}}pf.subs=uniqueSubs;return pf}return pf};var PrefilterTree={build:re=>simplify(fromRegexp(re))};var PatchList=class{head;tail;constructor(head=0,tail=0){this.head=head;this.tail=tail}};var Prog=class{inst;start;numCap;constructor(){
this.inst=[];this.start=0;this.numCap=2}getInst(pc){return this.inst[pc]}numInst(){return this.inst.length}addInst(op){this.
inst.push(new Inst(op))}skipNop(pc){let i=this.inst[pc];while(i.op===Inst.NOP||i.op===Inst.CAPTURE){i=this.inst[pc];pc=i.
out}return i}prefix(){let prefix="";let i=this.skipNop(this.start);if(!Inst.isRuneOp(i.op)||i.runes.length!==1){return[i.
op===Inst.MATCH,prefix]}while(Inst.isRuneOp(i.op)&&i.runes.length===1&&(i.arg&FOLD_CASE)===0){prefix+=String.fromCodePoint(
i.runes[0]);i=this.skipNop(i.out)}return[i.op===Inst.MATCH,prefix]}startCond(){let flag=0;let pc=this.start;loop:for(;;){
const i=this.inst[pc];switch(i.op){case Inst.EMPTY_WIDTH:flag|=i.arg;break;case Inst.FAIL:return-1;case Inst.CAPTURE:case Inst.
NOP:break;default:break loop}pc=i.out}return flag}next(l){const i=this.inst[l>>1];if((l&1)===0){return i.out}return i.arg}patch(l,val){
let head=l.head;while(head!==0){const i=this.inst[head>>1];if((head&1)===0){head=i.out;i.out=val}else{head=i.arg;i.arg=val}}}append(l1,l2){
if(l1.head===0)return l2;if(l2.head===0)return l1;const i=this.inst[l1.tail>>1];if((l1.tail&1)===0){i.out=l2.head}else{i.
arg=l2.head}return new PatchList(l1.head,l2.tail)}};var RE2JSException=class extends Error{constructor(message){super(message);this.name="RE2JSException"}};var RE2JSSyntaxException=class extends RE2JSException{error;input;constructor(error,input=null){
let message=`error parsing regexp: ${error}`;if(input){message+=`: \`${input}\``}super(message);this.name="RE2JSSyntaxEx\
ception";this.message=message;this.error=error;this.input=input}getDescription(){return this.error}getPattern(){return this.
input}};var RE2JSCompileException=class extends RE2JSException{constructor(message){super(message);this.name="RE2JSCompi\
leException"}};var RE2JSFlagsException=class extends RE2JSException{constructor(message){super(message);this.name="RE2JSFlagsException"}};var Frag=class{i;out;nullable;constructor(i=0,out=new PatchList,nullable=false){this.i=i;this.out=out;this.nullable=nullable}};
var Compiler=class _Compiler{prog;static ANY_RUNE_NOT_NL(){return[0,10-1,10+1,MAX_RUNE]}static ANY_RUNE(){return[0,MAX_RUNE]}static compileRegexp(re){
const c=new _Compiler;const f=c.compile(re);c.prog.patch(f.out,c.newInst(Inst.MATCH).i);c.prog.start=f.i;return c.prog}constructor(){
this.prog=new Prog;this.newInst(Inst.FAIL)}newInst(op){this.prog.addInst(op);return new Frag(this.prog.numInst()-1,new PatchList,
true)}nop(){const f=this.newInst(Inst.NOP);f.out=new PatchList(f.i<<1,f.i<<1);return f}fail(){return new Frag}cap(arg){const f=this.
newInst(Inst.CAPTURE);f.out=new PatchList(f.i<<1,f.i<<1);this.prog.getInst(f.i).arg=arg;if(this.prog.numCap<arg+1){this.
prog.numCap=arg+1}return f}cat(f1,f2){if(f1.i===0||f2.i===0){return this.fail()}this.prog.patch(f1.out,f2.i);return new Frag(
f1.i,f2.out,f1.nullable&&f2.nullable)}alt(f1,f2){if(f1.i===0){return f2}if(f2.i===0){return f1}const f=this.newInst(Inst.
ALT);const i=this.prog.getInst(f.i);i.out=f1.i;i.arg=f2.i;f.out=this.prog.append(f1.out,f2.out);f.nullable=f1.nullable||
f2.nullable;return f}loop(f1,nongreedy){const f=this.newInst(Inst.ALT);const i=this.prog.getInst(f.i);if(nongreedy){i.arg=
f1.i;f.out=new PatchList(f.i<<1,f.i<<1)}else{i.out=f1.i;f.out=new PatchList(f.i<<1|1,f.i<<1|1)}this.prog.patch(f1.out,f.
i);return f}quest(f1,nongreedy){const f=this.newInst(Inst.ALT);const i=this.prog.getInst(f.i);if(nongreedy){i.arg=f1.i;f.
out=new PatchList(f.i<<1,f.i<<1)}else{i.out=f1.i;f.out=new PatchList(f.i<<1|1,f.i<<1|1)}f.out=this.prog.append(f.out,f1.
out);return f}star(f1,nongreedy){if(f1.nullable){return this.quest(this.plus(f1,nongreedy),nongreedy)}return this.loop(f1,
nongreedy)}plus(f1,nongreedy){return new Frag(f1.i,this.loop(f1,nongreedy).out,f1.nullable)}empty(op){const f=this.newInst(
Inst.EMPTY_WIDTH);this.prog.getInst(f.i).arg=op;f.out=new PatchList(f.i<<1,f.i<<1);return f}rune(runes,flags){const f=this.
newInst(Inst.RUNE);f.nullable=false;const i=this.prog.getInst(f.i);i.runes=runes;flags&=FOLD_CASE;if(runes.length!==1||simpleFold(
runes[0])===runes[0]){flags&=~FOLD_CASE}i.arg=flags;f.out=new PatchList(f.i<<1,f.i<<1);if((flags&FOLD_CASE)===0&&runes.length===
1||runes.length===2&&runes[0]===runes[1]){i.op=Inst.RUNE1}else if(runes.length===2&&runes[0]===0&&runes[1]===MAX_RUNE){i.
op=Inst.RUNE_ANY}else if(runes.length===4&&runes[0]===0&&runes[1]===10-1&&runes[2]===10+1&&runes[3]===MAX_RUNE){i.op=Inst.
RUNE_ANY_NOT_NL}return f}compile(re){switch(re.op){case Regexp.Op.NO_MATCH:return this.fail();case Regexp.Op.EMPTY_MATCH:
return this.nop();case Regexp.Op.LITERAL:if(re.runes.length===0){return this.nop()}let f=null;for(let r of re.runes){const f1=this.
rune([r],re.flags);f=f===null?f1:this.cat(f,f1)}return f;case Regexp.Op.CHAR_CLASS:return this.rune(re.runes,re.flags);case Regexp.
Op.ANY_CHAR_NOT_NL:return this.rune(_Compiler.ANY_RUNE_NOT_NL(),0);case Regexp.Op.ANY_CHAR:return this.rune(_Compiler.ANY_RUNE(),
0);case Regexp.Op.BEGIN_LINE:return this.empty(EMPTY_BEGIN_LINE);case Regexp.Op.END_LINE:return this.empty(EMPTY_END_LINE);case Regexp.
Op.BEGIN_TEXT:return this.empty(EMPTY_BEGIN_TEXT);case Regexp.Op.END_TEXT:return this.empty(EMPTY_END_TEXT);case Regexp.
Op.WORD_BOUNDARY:return this.empty(EMPTY_WORD_BOUNDARY);case Regexp.Op.NO_WORD_BOUNDARY:return this.empty(EMPTY_NO_WORD_BOUNDARY);case Regexp.
Op.CAPTURE:{const bra=this.cap(re.cap<<1);const sub=this.compile(re.subs[0]);const ket=this.cap(re.cap<<1|1);return this.
cat(this.cat(bra,sub),ket)}case Regexp.Op.STAR:return this.star(this.compile(re.subs[0]),(re.flags&NON_GREEDY)!==0);case Regexp.
Op.PLUS:return this.plus(this.compile(re.subs[0]),(re.flags&NON_GREEDY)!==0);case Regexp.Op.QUEST:return this.quest(this.
compile(re.subs[0]),(re.flags&NON_GREEDY)!==0);case Regexp.Op.CONCAT:{if(re.subs.length===0){return this.nop()}let f2=null;
for(let sub of re.subs){const f1=this.compile(sub);f2=f2===null?f1:this.cat(f2,f1)}if(f2===null){throw new Error("invali\
d frag")}return f2}case Regexp.Op.ALTERNATE:{if(re.subs.length===0){return this.nop()}let f2=null;for(let sub of re.subs){
const f1=this.compile(sub);f2=f2===null?f1:this.alt(f2,f1)}if(f2===null){throw new Error("invalid frag")}return f2}default:
throw new RE2JSCompileException("regexp: unhandled case in compile")}}};function simplify2(re){switch(re.op){case Regexp.Op.CAPTURE:{const sub=simplify2(re.subs[0]);if(sub!==re.subs[0]){const nre=Regexp.
fromRegexp(re);nre.runes=[];nre.subs=[sub];return nre}return re}case Regexp.Op.CONCAT:case Regexp.Op.ALTERNATE:{const newSubs=[];
let changed=false;for(let i=0;i<re.subs.length;i++){const sub=re.subs[i];const nsub=simplify2(sub);if(nsub!==sub){changed=
true}if(re.op===Regexp.Op.CONCAT){if(nsub.op===Regexp.Op.NO_MATCH){return new Regexp(Regexp.Op.NO_MATCH)}if(nsub.op===Regexp.
Op.EMPTY_MATCH){changed=true;continue}if(nsub.op===Regexp.Op.CONCAT){changed=true;newSubs.push(...nsub.subs);continue}}else if(re.
op===Regexp.Op.ALTERNATE){if(nsub.op===Regexp.Op.NO_MATCH){changed=true;continue}if(nsub.op===Regexp.Op.ALTERNATE){changed=
true;newSubs.push(...nsub.subs);continue}}newSubs.push(nsub)}if(changed){if(newSubs.length===0){return new Regexp(re.op===
Regexp.Op.CONCAT?Regexp.Op.EMPTY_MATCH:Regexp.Op.NO_MATCH)}if(newSubs.length===1){return newSubs[0]}const nre=Regexp.fromRegexp(
re);nre.runes=[];nre.subs=newSubs;return nre}return re}case Regexp.Op.CHAR_CLASS:{if(re.runes===null)return re;if(re.runes.
length===0){return new Regexp(Regexp.Op.NO_MATCH)}if(re.runes.length===2&&re.runes[0]===0&&re.runes[1]===MAX_RUNE){return new Regexp(
Regexp.Op.ANY_CHAR)}if(re.runes.length===4&&re.runes[0]===0&&re.runes[1]===10-1&&re.runes[2]===10+1&&re.runes[3]===MAX_RUNE){
return new Regexp(Regexp.Op.ANY_CHAR_NOT_NL)}return re}case Regexp.Op.STAR:case Regexp.Op.PLUS:case Regexp.Op.QUEST:{const sub=simplify2(
re.subs[0]);return simplify1(re.op,re.flags,sub,re)}case Regexp.Op.REPEAT:{if(re.min===0&&re.max===0){return new Regexp(
Regexp.Op.EMPTY_MATCH)}const sub=simplify2(re.subs[0]);if(re.max===-1){if(re.min===0){return simplify1(Regexp.Op.STAR,re.
flags,sub,null)}if(re.min===1){return simplify1(Regexp.Op.PLUS,re.flags,sub,null)}const nre=new Regexp(Regexp.Op.CONCAT);
const subs=[];for(let i=0;i<re.min-1;i++){subs.push(sub)}subs.push(simplify1(Regexp.Op.PLUS,re.flags,sub,null));nre.subs=
subs.slice(0);return simplify2(nre)}if(re.min===1&&re.max===1){return sub}let prefixSubs=null;if(re.min>0){prefixSubs=[];
for(let i=0;i<re.min;i++){prefixSubs.push(sub)}}if(re.max>re.min){let suffix=simplify1(Regexp.Op.QUEST,re.flags,sub,null);
for(let i=re.min+1;i<re.max;i++){const nre2=new Regexp(Regexp.Op.CONCAT);nre2.subs=[sub,suffix];suffix=simplify1(Regexp.
Op.QUEST,re.flags,nre2,null)}if(prefixSubs===null){return suffix}prefixSubs.push(suffix)}if(prefixSubs!==null){const prefix=new Regexp(
Regexp.Op.CONCAT);prefix.subs=prefixSubs.slice(0);return simplify2(prefix)}return new Regexp(Regexp.Op.NO_MATCH)}}return re}
function simplify1(op,flags,sub,re){if(sub.op===Regexp.Op.EMPTY_MATCH){return sub}if(sub.op===Regexp.Op.NO_MATCH){if(op===
Regexp.Op.PLUS)return sub;return new Regexp(Regexp.Op.EMPTY_MATCH)}if(op===sub.op&&(flags&NON_GREEDY)===(sub.flags&NON_GREEDY)){
return sub}if(re!==null&&re.op===op&&(re.flags&NON_GREEDY)===(flags&NON_GREEDY)&&sub===re.subs[0]){return re}const nre=new Regexp(
op);nre.flags=flags;nre.subs=[sub];return nre}var CharGroup=class{sign;cls;constructor(sign,cls){this.sign=sign;this.cls=cls}};var code1=[48,57];var code2=[9,10,12,13,
32,32];var code3=[48,57,65,90,95,95,97,122];var _PERL_GROUPS=null;var getPerlGroups=()=>{if(!_PERL_GROUPS){_PERL_GROUPS=
new Map([["\\d",new CharGroup(1,code1)],["\\D",new CharGroup(-1,code1)],["\\s",new CharGroup(1,code2)],["\\S",new CharGroup(
-1,code2)],["\\w",new CharGroup(1,code3)],["\\W",new CharGroup(-1,code3)]])}return _PERL_GROUPS};var code4=[48,57,65,90,
97,122];var code5=[65,90,97,122];var code6=[0,127];var code7=[9,9,32,32];var code8=[0,31,127,127];var code9=[48,57];var code10=[
33,126];var code11=[97,122];var code12=[32,126];var code13=[33,47,58,64,91,96,123,126];var code14=[9,13,32,32];var code15=[
65,90];var code16=[48,57,65,90,95,95,97,122];var code17=[48,57,65,70,97,102];var _POSIX_GROUPS=null;var getPosixGroups=()=>{
if(!_POSIX_GROUPS){_POSIX_GROUPS=new Map([["[:alnum:]",new CharGroup(1,code4)],["[:^alnum:]",new CharGroup(-1,code4)],["\
[:alpha:]",new CharGroup(1,code5)],["[:^alpha:]",new CharGroup(-1,code5)],["[:ascii:]",new CharGroup(1,code6)],["[:^asci\
i:]",new CharGroup(-1,code6)],["[:blank:]",new CharGroup(1,code7)],["[:^blank:]",new CharGroup(-1,code7)],["[:cntrl:]",new CharGroup(
1,code8)],["[:^cntrl:]",new CharGroup(-1,code8)],["[:digit:]",new CharGroup(1,code9)],["[:^digit:]",new CharGroup(-1,code9)],
["[:graph:]",new CharGroup(1,code10)],["[:^graph:]",new CharGroup(-1,code10)],["[:lower:]",new CharGroup(1,code11)],["[:\
^lower:]",new CharGroup(-1,code11)],["[:print:]",new CharGroup(1,code12)],["[:^print:]",new CharGroup(-1,code12)],["[:pu\
nct:]",new CharGroup(1,code13)],["[:^punct:]",new CharGroup(-1,code13)],["[:space:]",new CharGroup(1,code14)],["[:^space\
:]",new CharGroup(-1,code14)],["[:upper:]",new CharGroup(1,code15)],["[:^upper:]",new CharGroup(-1,code15)],["[:word:]",
new CharGroup(1,code16)],["[:^word:]",new CharGroup(-1,code16)],["[:xdigit:]",new CharGroup(1,code17)],["[:^xdigit:]",new CharGroup(
-1,code17)]])}return _POSIX_GROUPS};var CharClass=class _CharClass{static cmp(array,i,pivotFrom,pivotTo){const cmp=array[i]-pivotFrom;return cmp!==0?cmp:pivotTo-
array[i+1]}static qsortIntPair(array,left,right){const pivotIndex=((left+right)/2|0)&~1;const pivotFrom=array[pivotIndex];
const pivotTo=array[pivotIndex+1];let i=left;let j=right;while(i<=j){while(i<right&&_CharClass.cmp(array,i,pivotFrom,pivotTo)<
0){i+=2}while(j>left&&_CharClass.cmp(array,j,pivotFrom,pivotTo)>0){j-=2}if(i<=j){if(i!==j){let temp=array[i];array[i]=array[j];
array[j]=temp;temp=array[i+1];array[i+1]=array[j+1];array[j+1]=temp}i+=2;j-=2}}if(left<j){_CharClass.qsortIntPair(array,
left,j)}if(i<right){_CharClass.qsortIntPair(array,i,right)}}r;len;constructor(r=emptyInts()){this.r=r;this.len=r.length}toArray(){
if(this.len===this.r.length){return this.r}return this.r.slice(0,this.len)}cleanClass(){if(this.len<4){return this}_CharClass.
qsortIntPair(this.r,0,this.len-2);let w=2;for(let i=2;i<this.len;i+=2){{const lo=this.r[i];const hi=this.r[i+1];if(lo<=this.
r[w-1]+1){if(hi>this.r[w-1]){this.r[w-1]=hi}continue}this.r[w]=lo;this.r[w+1]=hi;w+=2}}this.len=w;return this}appendLiteral(x,flags){
return(flags&FOLD_CASE)!==0?this.appendFoldedRange(x,x):this.appendRange(x,x)}appendRange(lo,hi){if(this.len>0){for(let i=2;i<=
4;i+=2){if(this.len>=i){const rlo=this.r[this.len-i];const rhi=this.r[this.len-i+1];if(lo<=rhi+1&&rlo<=hi+1){if(lo<rlo){
this.r[this.len-i]=lo}if(hi>rhi){this.r[this.len-i+1]=hi}return this}}}}this.r[this.len++]=lo;this.r[this.len++]=hi;return this}appendFoldedRange(lo,hi){
if(lo<=MIN_FOLD&&hi>=MAX_FOLD){return this.appendRange(lo,hi)}if(hi<MIN_FOLD||lo>MAX_FOLD){return this.appendRange(lo,hi)}
if(lo<MIN_FOLD){this.appendRange(lo,MIN_FOLD-1);lo=MIN_FOLD}if(hi>MAX_FOLD){this.appendRange(MAX_FOLD+1,hi);hi=MAX_FOLD}
for(let c=lo;c<=hi;c++){this.appendRange(c,c);for(let f=simpleFold(c);f!==c;f=simpleFold(f)){this.appendRange(f,f)}}return this}appendClass(x){
for(let i=0;i<x.length;i+=2){this.appendRange(x[i],x[i+1])}return this}appendFoldedClass(x){for(let i=0;i<x.length;i+=2){
this.appendFoldedRange(x[i],x[i+1])}return this}appendNegatedClass(x){let nextLo=0;for(let i=0;i<x.length;i+=2){const lo=x[i];
const hi=x[i+1];if(nextLo<=lo-1){this.appendRange(nextLo,lo-1)}nextLo=hi+1}if(nextLo<=MAX_RUNE){this.appendRange(nextLo,
MAX_RUNE)}return this}appendTable(table){for(let i=0;i<table.length;++i){const lo=table.getLo(i);const hi=table.getHi(i);
const stride=table.getStride(i);if(stride===1){this.appendRange(lo,hi);continue}for(let c=lo;c<=hi;c+=stride){this.appendRange(
c,c)}}return this}appendNegatedTable(table){let nextLo=0;for(let i=0;i<table.length;++i){const lo=table.getLo(i);const hi=table.
getHi(i);const stride=table.getStride(i);if(stride===1){if(nextLo<=lo-1){this.appendRange(nextLo,lo-1)}nextLo=hi+1;continue}
for(let c=lo;c<=hi;c+=stride){if(nextLo<=c-1){this.appendRange(nextLo,c-1)}nextLo=c+1}}if(nextLo<=MAX_RUNE){this.appendRange(
nextLo,MAX_RUNE)}return this}appendTableWithSign(table,sign){return sign<0?this.appendNegatedTable(table):this.appendTable(
table)}negateClass(){let nextLo=0;let w=0;for(let i=0;i<this.len;i+=2){const lo=this.r[i];const hi=this.r[i+1];if(nextLo<=
lo-1){this.r[w]=nextLo;this.r[w+1]=lo-1;w+=2}nextLo=hi+1}this.len=w;if(nextLo<=MAX_RUNE){this.r[this.len++]=nextLo;this.
r[this.len++]=MAX_RUNE}return this}appendClassWithSign(x,sign){return sign<0?this.appendNegatedClass(x):this.appendClass(
x)}appendGroup(g,foldCase){let cls=g.cls;if(foldCase){cls=new _CharClass().appendFoldedClass(cls).cleanClass().toArray()}
return this.appendClassWithSign(cls,g.sign)}};var StringIterator=class{str;position;constructor(str){this.str=str;this.position=0}pos(){return this.position}rewindTo(pos){
this.position=pos}more(){return this.position<this.str.length}peek(){return codePointAtOrThrow(this.str,this.position)}skip(n){
this.position+=n}skipString(s){this.position+=s.length}pop(){const r=codePointAtOrThrow(this.str,this.position);this.position+=
charCount(r);return r}lookingAt(s){return this.str.startsWith(s,this.position)}rest(){return this.str.substring(this.position)}from(beforePos){
return this.str.substring(beforePos,this.position)}toString(){return this.rest()}};var Parser2=class _Parser{static ERR_INVALID_CHAR_RANGE="\
invalid character class range";static ERR_INVALID_ESCAPE="invalid escape sequence";static ERR_INVALID_NAMED_CAPTURE="inv\
alid named capture";static ERR_INVALID_PERL_OP="invalid or unsupported Perl syntax";static ERR_INVALID_REPEAT_OP="invali\
d nested repetition operator";static ERR_INVALID_REPEAT_SIZE="invalid repeat count";static ERR_MISSING_BRACKET="missing \
closing ]";static ERR_MISSING_PAREN="missing closing )";static ERR_MISSING_REPEAT_ARGUMENT="missing argument to repetiti\
on operator";static ERR_TRAILING_BACKSLASH="trailing backslash at end of expression";static ERR_DUPLICATE_NAMED_CAPTURE="\
duplicate capture group name";static ERR_UNEXPECTED_PAREN="unexpected )";static ERR_NESTING_DEPTH="expression nests too \
deeply";static ERR_LARGE="expression too large";static ERR_BAD_EXPRESSION="expression not valid";static MAX_HEIGHT=1e3;static MAX_SIZE=3355443;static MAX_RUNES=33554432;static ANY_TABLE=new UnicodeRangeTable(
new Uint32Array([0,MAX_RUNE,1]));static ASCII_TABLE=new UnicodeRangeTable(new Uint32Array([0,127,1]));static ASCII_FOLD_TABLE=new UnicodeRangeTable(
new Uint32Array([0,127,1,383,383,1,8490,8490,1]));static unicodeTable(name){if(name==="Any"){return{tab:_Parser.ANY_TABLE,
fold:_Parser.ANY_TABLE,sign:1}}if(name==="Ascii"){return{tab:_Parser.ASCII_TABLE,fold:_Parser.ASCII_FOLD_TABLE,sign:1}}if(name===
"Assigned"){return{tab:UnicodeTables.CATEGORIES.get("Cn"),fold:UnicodeTables.CATEGORIES.get("Cn"),sign:-1}}if(name==="Lc"){
return{tab:UnicodeTables.CATEGORIES.get("LC"),fold:UnicodeTables.FOLD_CATEGORIES.get("LC"),sign:1}}if(UnicodeTables.CATEGORIES.
has(name)){return{tab:UnicodeTables.CATEGORIES.get(name),fold:UnicodeTables.FOLD_CATEGORIES.get(name),sign:1}}if(UnicodeTables.
SCRIPTS.has(name)){return{tab:UnicodeTables.SCRIPTS.get(name),fold:UnicodeTables.FOLD_SCRIPT.get(name),sign:1}}return null}static minFoldRune(r){
if(r<MIN_FOLD||r>MAX_FOLD){return r}let min=r;const r0=r;for(r=simpleFold(r);r!==r0;r=simpleFold(r)){if(min>r){min=r}}return min}static literalRegexp(s,flags){
const re=new Regexp(Regexp.Op.LITERAL);re.flags=flags;re.runes=stringToRunes(s);return re}static parse(pattern,flags){return new _Parser(
pattern,flags).parseInternal()}static parseRepeat(t){const start=t.pos();if(!t.more()||!t.lookingAt("{")){return-1}t.skip(
1);const min=_Parser.parseInt(t);if(min===-1){return-1}if(!t.more()){return-1}let max;if(!t.lookingAt(",")){max=min}else{
t.skip(1);if(!t.more()){return-1}if(t.lookingAt("}")){max=-1}else{max=_Parser.parseInt(t);if(max===-1){return-1}}}if(!t.
more()||!t.lookingAt("}")){return-1}t.skip(1);if(min<0||min>1e3||max===-2||max>1e3||max>=0&&min>max){throw new RE2JSSyntaxException(
_Parser.ERR_INVALID_REPEAT_SIZE,t.from(start))}return min<<16|max&MAX_BMP}static isValidCaptureName(name){if(name.length===
0){return false}for(let i=0;i<name.length;i++){const c=codePointAtOrThrow(name,i);if(c!==95&&!isalnum(c)){return false}}
return true}static parseInt(t){const start=t.pos();while(t.more()&&t.peek()>=48&&t.peek()<=57){t.skip(1)}const n=t.from(
start);if(n.length===0||n.length>1&&n.codePointAt(0)===48){return-1}if(n.length>8){return-2}return parseInt(n,10)}static isCharClass(re){
return re.op===Regexp.Op.LITERAL&&re.runes.length===1||re.op===Regexp.Op.CHAR_CLASS||re.op===Regexp.Op.ANY_CHAR_NOT_NL||
re.op===Regexp.Op.ANY_CHAR}static matchRune(re,r){switch(re.op){case Regexp.Op.LITERAL:return re.runes.length===1&&re.runes[0]===
r;case Regexp.Op.CHAR_CLASS:for(let i=0;i<re.runes.length;i+=2){if(re.runes[i]<=r&&r<=re.runes[i+1]){return true}}return false;case Regexp.
Op.ANY_CHAR_NOT_NL:return r!==10;case Regexp.Op.ANY_CHAR:return true}return false}static mergeCharClass(dst,src){switch(dst.
op){case Regexp.Op.ANY_CHAR:break;case Regexp.Op.ANY_CHAR_NOT_NL:if(_Parser.matchRune(src,10)){dst.op=Regexp.Op.ANY_CHAR}
break;case Regexp.Op.CHAR_CLASS:if(src.op===Regexp.Op.LITERAL){dst.runes=new CharClass(dst.runes).appendLiteral(src.runes[0],
src.flags).toArray()}else{dst.runes=new CharClass(dst.runes).appendClass(src.runes).toArray()}break;case Regexp.Op.LITERAL:
if(src.runes[0]===dst.runes[0]&&src.flags===dst.flags){break}dst.op=Regexp.Op.CHAR_CLASS;dst.runes=new CharClass().appendLiteral(
dst.runes[0],dst.flags).appendLiteral(src.runes[0],src.flags).toArray();break}}static parseEscape(t){const startPos=t.pos();
t.skip(1);if(!t.more()){throw new RE2JSSyntaxException(_Parser.ERR_TRAILING_BACKSLASH)}let c=t.pop();switch(c){case 49:case 50:case 51:case 52:case 53:case 54:case 48:case 55:{
if(c!==48&&(!t.more()||t.peek()<48||t.peek()>55)){break}let r=c-48;for(let i=1;i<3;i++){if(!t.more()||t.peek()<48||t.peek()>
55){break}r=r*8+t.peek()-48;t.skip(1)}return r}case 120:{if(!t.more()){break}c=t.pop();if(c===123){let nhex=0;let r=0;while(true){
if(!t.more()){throw new RE2JSSyntaxException(_Parser.ERR_INVALID_ESCAPE,t.from(startPos))}c=t.pop();if(c===125){break}const v=unhex(
c);if(v<0){throw new RE2JSSyntaxException(_Parser.ERR_INVALID_ESCAPE,t.from(startPos))}r=r*16+v;if(r>MAX_RUNE){throw new RE2JSSyntaxException(
_Parser.ERR_INVALID_ESCAPE,t.from(startPos))}nhex++}if(nhex===0){break}return r}const x=unhex(c);if(!t.more()){break}c=t.
pop();const y=unhex(c);if(x<0||y<0){break}return x*16+y}case 97:return 7;case 102:return 12;case 110:return 10;case 114:
return 13;case 116:return 9;case 118:return 11;default:if(c<=MAX_ASCII&&!isalnum(c)){return c}break}throw new RE2JSSyntaxException(
_Parser.ERR_INVALID_ESCAPE,t.from(startPos))}static parseClassChar(t,wholeClassPos){if(!t.more()){throw new RE2JSSyntaxException(
_Parser.ERR_MISSING_BRACKET,t.from(wholeClassPos))}if(t.lookingAt("\\")){return _Parser.parseEscape(t)}return t.pop()}static concatRunes(x,y){
const r=new Array(x.length+y.length);for(let i=0;i<x.length;i++)r[i]=x[i];for(let i=0;i<y.length;i++)r[x.length+i]=y[i];
return r}wholeRegexp;flags;numCap;namedGroups;stack;free;numRegexp;numRunes;repeats;height;size;constructor(wholeRegexp,flags=0){
this.wholeRegexp=wholeRegexp;this.flags=flags;this.numCap=0;this.namedGroups=new Map;this.stack=[];this.free=null;this.numRegexp=
0;this.numRunes=0;this.repeats=0;this.height=null;this.size=null}newRegexp(op){let re=this.free;if(re!==null&&re.subs!==
null&&re.subs.length>0){this.free=re.subs[0];re.reinit();re.op=op}else{re=new Regexp(op);this.numRegexp+=1}return re}reuse(re){
if(this.height!==null){this.height.delete(re)}if(re.subs!==null&&re.subs.length>0){re.subs[0]=this.free}this.free=re}checkLimits(re){
if(this.numRunes>_Parser.MAX_RUNES){throw new RE2JSSyntaxException(_Parser.ERR_LARGE)}this.checkSize(re);this.checkHeight(
re)}checkSize(re){if(this.size===null){if(this.repeats===0){this.repeats=1}if(re.op===Regexp.Op.REPEAT){let n=re.max;if(n===
-1){n=re.min}if(n<=0){n=1}if(n>_Parser.MAX_SIZE/this.repeats){this.repeats=_Parser.MAX_SIZE}else{this.repeats*=n}}if(this.
numRegexp<_Parser.MAX_SIZE/this.repeats){return}this.size=new Map;for(let reEx of this.stack){this.checkSize(reEx)}}if(this.
calcSize(re,true)>_Parser.MAX_SIZE){throw new RE2JSSyntaxException(_Parser.ERR_LARGE)}}calcSize(re,force=false){if(!force&&
this.size!==null){const cached=this.size.get(re);if(cached!==void 0){return cached}}let size=0;switch(re.op){case Regexp.
Op.LITERAL:{size=re.runes.length;break}case Regexp.Op.CAPTURE:case Regexp.Op.STAR:{size=2+this.calcSize(re.subs[0]);break}case Regexp.
Op.PLUS:case Regexp.Op.QUEST:{size=1+this.calcSize(re.subs[0]);break}case Regexp.Op.CONCAT:{for(let sub of re.subs){size=
size+this.calcSize(sub)}break}case Regexp.Op.ALTERNATE:{for(let sub of re.subs){size=size+this.calcSize(sub)}if(re.subs.
length>1){size=size+re.subs.length-1}break}case Regexp.Op.REPEAT:{let sub=this.calcSize(re.subs[0]);if(re.max===-1){if(re.
min===0){size=2+sub}else{size=1+re.min*sub}break}size=re.max*sub+(re.max-re.min);break}}size=Math.max(1,size);this.size?.
set(re,size);return size}checkHeight(re){if(this.numRegexp<_Parser.MAX_HEIGHT){return}if(this.height===null){this.height=
new Map;for(let reEx of this.stack){this.checkHeight(reEx)}}if(this.calcHeight(re,true)>_Parser.MAX_HEIGHT){throw new RE2JSSyntaxException(
_Parser.ERR_NESTING_DEPTH)}}calcHeight(re,force=false){if(!force&&this.height!==null){const cached=this.height.get(re);if(cached!==
void 0){return cached}}let h=1;for(let sub of re.subs){const hsub=this.calcHeight(sub);if(h<1+hsub){h=1+hsub}}this.height?.
set(re,h);return h}pop(){return this.stack.pop()}popToPseudo(){const n=this.stack.length;let i=n;while(i>0&&!Regexp.isPseudoOp(
this.stack[i-1].op)){i--}const r=this.stack.slice(i,n);this.stack=this.stack.slice(0,i);return r}push(re){this.numRunes+=
re.runes.length;if(re.op===Regexp.Op.CHAR_CLASS&&re.runes.length===2&&re.runes[0]===re.runes[1]){if(this.maybeConcat(re.
runes[0],this.flags&~FOLD_CASE)){return null}re.op=Regexp.Op.LITERAL;re.runes=[re.runes[0]];re.flags=this.flags&~FOLD_CASE}else if(re.
op===Regexp.Op.CHAR_CLASS&&re.runes.length===4&&re.runes[0]===re.runes[1]&&re.runes[2]===re.runes[3]&&simpleFold(re.runes[0])===
re.runes[2]&&simpleFold(re.runes[2])===re.runes[0]||re.op===Regexp.Op.CHAR_CLASS&&re.runes.length===2&&re.runes[0]+1===re.
runes[1]&&simpleFold(re.runes[0])===re.runes[1]&&simpleFold(re.runes[1])===re.runes[0]){if(this.maybeConcat(re.runes[0],
this.flags|FOLD_CASE)){return null}re.op=Regexp.Op.LITERAL;re.runes=[re.runes[0]];re.flags=this.flags|FOLD_CASE}else{this.
maybeConcat(-1,0)}this.stack.push(re);this.checkLimits(re);return re}maybeConcat(r,flags){const n=this.stack.length;if(n<
2){return false}const re1=this.stack[n-1];const re2=this.stack[n-2];if(re1.op!==Regexp.Op.LITERAL||re2.op!==Regexp.Op.LITERAL||
(re1.flags&FOLD_CASE)!==(re2.flags&FOLD_CASE)){return false}re2.runes=_Parser.concatRunes(re2.runes,re1.runes);if(r>=0){
re1.runes=[r];re1.flags=flags;return true}this.pop();this.reuse(re1);return false}newLiteral(r,flags){const re=this.newRegexp(
Regexp.Op.LITERAL);re.flags=flags;if((flags&FOLD_CASE)!==0){r=_Parser.minFoldRune(r)}re.runes=[r];return re}literal(r){this.
push(this.newLiteral(r,this.flags))}op(op){const re=this.newRegexp(op);re.flags=this.flags;return this.push(re)}repeat(op,min,max,beforePos,t,lastRepeatPos){
let flags=this.flags;if(t.more()&&t.lookingAt("?")){t.skip(1);flags^=NON_GREEDY}if(lastRepeatPos!==-1){throw new RE2JSSyntaxException(
_Parser.ERR_INVALID_REPEAT_OP,t.from(lastRepeatPos))}const n=this.stack.length;if(n===0){throw new RE2JSSyntaxException(
_Parser.ERR_MISSING_REPEAT_ARGUMENT,t.from(beforePos))}const sub=this.stack[n-1];if(Regexp.isPseudoOp(sub.op)){throw new RE2JSSyntaxException(
_Parser.ERR_MISSING_REPEAT_ARGUMENT,t.from(beforePos))}const re=this.newRegexp(op);re.min=min;re.max=max;re.flags=flags;
re.subs=[sub];this.stack[n-1]=re;this.checkLimits(re);if(op===Regexp.Op.REPEAT&&(min>=2||max>=2)&&!this.repeatIsValid(re,
1e3)){throw new RE2JSSyntaxException(_Parser.ERR_INVALID_REPEAT_SIZE,t.from(beforePos))}}repeatIsValid(re,n){if(re.op===
Regexp.Op.REPEAT){let m=re.max;if(m===0){return true}if(m<0){m=re.min}if(m>n){return false}if(m>0){n=Math.trunc(n/m)}}for(let sub of re.
subs){if(!this.repeatIsValid(sub,n)){return false}}return true}concat(){this.maybeConcat(-1,0);const subs=this.popToPseudo();
if(subs.length===0){return this.push(this.newRegexp(Regexp.Op.EMPTY_MATCH))}return this.push(this.collapse(subs,Regexp.Op.
CONCAT))}alternate(){const subs=this.popToPseudo();if(subs.length>0){this.cleanAlt(subs[subs.length-1])}if(subs.length===
0){return this.push(this.newRegexp(Regexp.Op.NO_MATCH))}return this.push(this.collapse(subs,Regexp.Op.ALTERNATE))}cleanAlt(re){
if(re.op===Regexp.Op.CHAR_CLASS){re.runes=new CharClass(re.runes).cleanClass().toArray();if(re.runes.length===2&&re.runes[0]===
0&&re.runes[1]===MAX_RUNE){re.runes=[];re.op=Regexp.Op.ANY_CHAR}else if(re.runes.length===4&&re.runes[0]===0&&re.runes[1]===
10-1&&re.runes[2]===10+1&&re.runes[3]===MAX_RUNE){re.runes=[];re.op=Regexp.Op.ANY_CHAR_NOT_NL}}}collapse(subs,op){if(subs.
length===1){return subs[0]}let len=0;for(let sub of subs){len+=sub.op===op?sub.subs.length:1}let newsubs=new Array(len).
fill(null);let i=0;for(let sub of subs){if(sub.op===op){for(let j=0;j<sub.subs.length;j++){newsubs[i++]=sub.subs[j]}this.
reuse(sub)}else{newsubs[i++]=sub}}let re=this.newRegexp(op);re.subs=newsubs;if(op===Regexp.Op.ALTERNATE){if(re.subs.length===
1){const old=re;re=re.subs[0];this.reuse(old)}}return re}parseInternal(){if((this.flags&LITERAL)!==0){return _Parser.literalRegexp(
this.wholeRegexp,this.flags)}let lastRepeatPos=-1;let min=-1;let max=-1;const t=new StringIterator(this.wholeRegexp);while(t.
more()){{let repeatPos=-1;switch(t.peek()){case 40:if(t.lookingAt("(?")){this.parsePerlFlags(t);break}const lparen=this.
op(Regexp.Op.LEFT_PAREN);if(lparen===null){throw new Error("op(LEFT_PAREN) unexpectedly returned null")}lparen.cap=++this.
numCap;t.skip(1);break;case 124:this.parseVerticalBar();t.skip(1);break;case 41:this.parseRightParen();t.skip(1);break;case 94:
if((this.flags&ONE_LINE)!==0){this.op(Regexp.Op.BEGIN_TEXT)}else{this.op(Regexp.Op.BEGIN_LINE)}t.skip(1);break;case 36:if((this.
flags&ONE_LINE)!==0){const endText=this.op(Regexp.Op.END_TEXT);if(endText===null){throw new Error("op(END_TEXT) unexpect\
edly returned null")}endText.flags|=WAS_DOLLAR}else{this.op(Regexp.Op.END_LINE)}t.skip(1);break;case 46:if((this.flags&DOT_NL)!==
0){this.op(Regexp.Op.ANY_CHAR)}else{this.op(Regexp.Op.ANY_CHAR_NOT_NL)}t.skip(1);break;case 91:this.parseClass(t);break;case 42:case 43:case 63:{
repeatPos=t.pos();let op=null;switch(t.pop()){case 42:op=Regexp.Op.STAR;break;case 43:op=Regexp.Op.PLUS;break;case 63:op=
Regexp.Op.QUEST;break}if(op===null){throw new Error("repeat op unexpectedly null")}this.repeat(op,min,max,repeatPos,t,lastRepeatPos);
break}case 123:{repeatPos=t.pos();const minMax=_Parser.parseRepeat(t);if(minMax<0){t.rewindTo(repeatPos);this.literal(t.
pop());break}min=minMax>>16;max=(minMax&MAX_BMP)<<16>>16;this.repeat(Regexp.Op.REPEAT,min,max,repeatPos,t,lastRepeatPos);
break}case 92:{const savedPos=t.pos();t.skip(1);let handled=false;if(t.more()){const c=t.pop();switch(c){case 65:this.op(
Regexp.Op.BEGIN_TEXT);handled=true;break;case 98:this.op(Regexp.Op.WORD_BOUNDARY);handled=true;break;case 66:this.op(Regexp.
Op.NO_WORD_BOUNDARY);handled=true;break;case 67:throw new RE2JSSyntaxException(_Parser.ERR_INVALID_ESCAPE,"\\C");case 81:{
let lit=t.rest();const i=lit.indexOf("\\E");if(i>=0){lit=lit.substring(0,i);t.skipString(lit);t.skipString("\\E")}else{t.
skipString(lit)}let j=0;while(j<lit.length){const codepoint=codePointAtOrThrow(lit,j);this.literal(codepoint);j+=charCount(
codepoint)}handled=true;break}case 122:this.op(Regexp.Op.END_TEXT);handled=true;break;default:t.rewindTo(savedPos);break}}else{
t.rewindTo(savedPos)}if(handled)break;const re=this.newRegexp(Regexp.Op.CHAR_CLASS);re.flags=this.flags;if(t.lookingAt("\
\\p")||t.lookingAt("\\P")){const cc2=new CharClass;if(this.parseUnicodeClass(t,cc2)){re.runes=cc2.toArray();this.push(re);
break}}const cc=new CharClass;if(this.parsePerlClassEscape(t,cc)){re.runes=cc.toArray();this.push(re);break}t.rewindTo(savedPos);
this.reuse(re);this.literal(_Parser.parseEscape(t));break}default:this.literal(t.pop());break}lastRepeatPos=repeatPos}}this.
concat();if(this.swapVerticalBar()){this.pop()}this.alternate();const n=this.stack.length;if(n!==1){throw new RE2JSSyntaxException(
_Parser.ERR_MISSING_PAREN,this.wholeRegexp)}this.stack[0].namedGroups=this.namedGroups;return this.stack[0]}parsePerlFlags(t){
const startPos=t.pos();if(t.lookingAt("(?P<")||t.lookingAt("(?<")){const s=t.rest();const begin=s.charAt(2)==="P"?4:3;const end=s.
indexOf(">");if(end<0){throw new RE2JSSyntaxException(_Parser.ERR_INVALID_NAMED_CAPTURE,s)}const name=s.substring(begin,
end);t.skipString(name);t.skip(begin+1);if(!_Parser.isValidCaptureName(name)){throw new RE2JSSyntaxException(_Parser.ERR_INVALID_NAMED_CAPTURE,
s.substring(0,end+1))}const re=this.op(Regexp.Op.LEFT_PAREN);if(re===null){throw new Error("op(LEFT_PAREN) unexpectedly \
returned null")}re.cap=++this.numCap;if(this.namedGroups.get(name)){throw new RE2JSSyntaxException(_Parser.ERR_DUPLICATE_NAMED_CAPTURE,
name)}this.namedGroups.set(name,this.numCap);re.name=name;return}t.skip(2);let flags=this.flags;let sign=1;let sawFlag=false;
loop:while(t.more()){{const c=t.pop();switch(c){case 105:flags|=FOLD_CASE;sawFlag=true;break;case 109:flags&=~ONE_LINE;sawFlag=
true;break;case 115:flags|=DOT_NL;sawFlag=true;break;case 85:flags|=NON_GREEDY;sawFlag=true;break;case 45:if(sign<0){break loop}
sign=-1;flags=~flags;sawFlag=false;break;case 58:case 41:if(sign<0){if(!sawFlag){break loop}flags=~flags}if(c===58){this.
op(Regexp.Op.LEFT_PAREN)}this.flags=flags;return;default:break loop}}}throw new RE2JSSyntaxException(_Parser.ERR_INVALID_PERL_OP,
t.from(startPos))}parseVerticalBar(){this.concat();if(!this.swapVerticalBar()){this.op(Regexp.Op.VERTICAL_BAR)}}swapVerticalBar(){
const n=this.stack.length;if(n>=3&&this.stack[n-2].op===Regexp.Op.VERTICAL_BAR&&_Parser.isCharClass(this.stack[n-1])&&_Parser.
isCharClass(this.stack[n-3])){let re1=this.stack[n-1];let re3=this.stack[n-3];if(re1.op>re3.op){const tmp=re3;re3=re1;re1=
tmp;this.stack[n-3]=re3}_Parser.mergeCharClass(re3,re1);this.reuse(re1);this.pop();return true}if(n>=2){const re1=this.stack[n-
1];const re2=this.stack[n-2];if(re2.op===Regexp.Op.VERTICAL_BAR){if(n>=3){this.cleanAlt(this.stack[n-3])}this.stack[n-2]=
re1;this.stack[n-1]=re2;return true}}return false}parseRightParen(){this.concat();if(this.swapVerticalBar()){this.pop()}
this.alternate();const n=this.stack.length;if(n<2){throw new RE2JSSyntaxException(_Parser.ERR_UNEXPECTED_PAREN,this.wholeRegexp)}
const re1=this.pop();if(re1===void 0){throw new RE2JSSyntaxException(_Parser.ERR_BAD_EXPRESSION,this.wholeRegexp)}const re2=this.
pop();if(re2===void 0||re2.op!==Regexp.Op.LEFT_PAREN){throw new RE2JSSyntaxException(_Parser.ERR_UNEXPECTED_PAREN,this.wholeRegexp)}
this.flags=re2.flags;if(re2.cap===0){this.push(re1)}else{re2.op=Regexp.Op.CAPTURE;re2.subs=[re1];this.push(re2)}}parsePerlClassEscape(t,cc){
const beforePos=t.pos();if(!t.more()||t.pop()!==92||!t.more()){return false}t.pop();const p=t.from(beforePos);const g=getPerlGroups().
get(p);if(g===void 0){return false}cc.appendGroup(g,(this.flags&FOLD_CASE)!==0);return true}parseNamedClass(t,cc){const cls=t.
rest();const i=cls.indexOf(":]");if(i<0){return false}const name=cls.substring(0,i+2);t.skipString(name);const g=getPosixGroups().
get(name);if(g===void 0){throw new RE2JSSyntaxException(_Parser.ERR_INVALID_CHAR_RANGE,name)}cc.appendGroup(g,(this.flags&
FOLD_CASE)!==0);return true}parseUnicodeClass(t,cc){const startPos=t.pos();if((this.flags&UNICODE_GROUPS)===0||!t.lookingAt(
"\\p")&&!t.lookingAt("\\P")){return false}t.skip(1);let sign=1;let c=t.pop();if(c===80){sign=-1}if(!t.more()){t.rewindTo(
startPos);throw new RE2JSSyntaxException(_Parser.ERR_INVALID_CHAR_RANGE,t.rest())}c=t.pop();let name;if(c!==123){name=runeToString(
c)}else{const rest=t.rest();const end=rest.indexOf("}");if(end<0){t.rewindTo(startPos);throw new RE2JSSyntaxException(_Parser.
ERR_INVALID_CHAR_RANGE,t.rest())}name=rest.substring(0,end);t.skipString(name);t.skip(1)}if(!(name.length===0)&&name.codePointAt(
0)===94){sign=0-sign;name=name.substring(1)}const pair=_Parser.unicodeTable(name);if(pair===null){throw new RE2JSSyntaxException(
_Parser.ERR_INVALID_CHAR_RANGE,t.from(startPos))}if(pair.sign<0){sign=0-sign}const tab=pair.tab;const fold=pair.fold;if(tab===
null){throw new RE2JSSyntaxException(_Parser.ERR_INVALID_CHAR_RANGE,t.from(startPos))}if((this.flags&FOLD_CASE)===0||fold===
null){cc.appendTableWithSign(tab,sign)}else{const tmp=new CharClass().appendTable(tab).appendTable(fold).cleanClass().toArray();
cc.appendClassWithSign(tmp,sign)}return true}parseClass(t){const startPos=t.pos();t.skip(1);const re=this.newRegexp(Regexp.
Op.CHAR_CLASS);re.flags=this.flags;const cc=new CharClass;let sign=1;if(t.more()&&t.lookingAt("^")){sign=-1;t.skip(1);if((this.
flags&CLASS_NL)===0){cc.appendRange(10,10)}}let first=true;while(!t.more()||t.peek()!==93||first){first=false;const beforePos=t.
pos();if(t.lookingAt("[:")){if(this.parseNamedClass(t,cc)){continue}t.rewindTo(beforePos)}if(this.parseUnicodeClass(t,cc)){
continue}if(this.parsePerlClassEscape(t,cc)){continue}t.rewindTo(beforePos);const lo=_Parser.parseClassChar(t,startPos);
let hi=lo;if(t.more()&&t.lookingAt("-")){t.skip(1);if(t.more()&&t.lookingAt("]")){t.skip(-1)}else{hi=_Parser.parseClassChar(
t,startPos);if(hi<lo){throw new RE2JSSyntaxException(_Parser.ERR_INVALID_CHAR_RANGE,t.from(beforePos))}}}if((this.flags&
FOLD_CASE)===0){cc.appendRange(lo,hi)}else{cc.appendFoldedRange(lo,hi)}}t.skip(1);cc.cleanClass();if(sign<0){cc.negateClass()}
re.runes=cc.toArray();this.push(re)}};var RE2=class _RE2{expr;prog;numSubexp;cond;prefix;prefixComplete;prefixRune;dfa;prefilter;namedGroups;static compile(expr){
return _RE2.compileImpl(expr,PERL)}static compileImpl(expr,mode){return new _RE2(expr,mode)}constructor(expr,mode){let re=Parser2.
parse(expr,mode);re=simplify2(re);const prefilter=PrefilterTree.build(re);const prog=Compiler.compileRegexp(re);this.prefilter=
prefilter.type===Prefilter.Type.NONE?null:prefilter;const[prefixCompl,prefixStr]=prog.prefix();this.prefixComplete=prefixCompl;
this.prefix=prefixStr;this.prefixRune=0;if(this.prefix.length>0){const cp=this.prefix.codePointAt(0);if(cp===void 0){throw new Error(
"RE2: prefix has no code point")}this.prefixRune=cp}this.namedGroups=re.namedGroups;this.expr=expr;this.prog=prog;this.numSubexp=
re.maxCap();this.cond=prog.startCond();this.dfa=new DFA(this.prog)}matchPrefixComplete(input,pos,anchor,ncap){if((anchor===
ANCHOR_START||anchor===ANCHOR_BOTH)&&pos!==0){return null}let matchStart=-1;let matchEnd=-1;const pLen=input.prefixLength(
this);if(anchor===UNANCHORED){const idx=input.index(this,pos);if(idx<0)return null;matchStart=pos+idx;matchEnd=matchStart+
pLen}else if(anchor===ANCHOR_BOTH){if(input.endPos()!==pLen)return null;const idx=input.index(this,0);if(idx!==0)return null;
matchStart=0;matchEnd=pLen}else if(anchor===ANCHOR_START){const idx=input.index(this,0);if(idx!==0)return null;matchStart=
0;matchEnd=pLen}if(matchStart<0)return null;if(ncap>0){const matchcap=new Int32Array(ncap).fill(-1);matchcap[0]=matchStart;
matchcap[1]=matchEnd;return Array.from(matchcap)}return[]}executeEngine(input,pos,anchor,ncap){if(this.prefixComplete&&(ncap===
0||this.numSubexp===0)){return this.matchPrefixComplete(input,pos,anchor,ncap)}if(this.prefilter!==null&&anchor===UNANCHORED){
if(!this.prefilter.eval(input,pos)){return null}}const dfaResult=this.dfa.match(input,pos,anchor);if(dfaResult!==null){return dfaResult?
[]:null}return this._nfaFallback(input,pos,anchor)?[]:null}_nfaFallback(input,pos,anchor){const prog=this.prog;const endPos=input.
endPos();const addState=(set,visited2,pc,context)=>{if(pc<0||pc>=prog.numInst()||visited2.has(pc))return;visited2.add(pc);
const inst=prog.getInst(pc);switch(inst.op){case Inst.ALT:case Inst.ALT_MATCH:addState(set,visited2,inst.out,context);addState(
set,visited2,inst.arg,context);break;case Inst.NOP:case Inst.CAPTURE:addState(set,visited2,inst.out,context);break;case Inst.
EMPTY_WIDTH:if((inst.arg&~context)===0){addState(set,visited2,inst.out,context)}break;default:set.add(pc);break}};let current=new Set;
let next=new Set;let prevRune=-1;if(pos>0){const r=input.step(pos-1)>>3;if(r>=0)prevRune=r}for(let i=pos;i<=endPos;i++){
const rune=i<endPos?input.step(i)>>3:-1;const width=i<endPos?input.step(i)&7:0;const context=emptyOpContext(prevRune,rune);
if(anchor===UNANCHORED||i===pos){const visited2=new Set;addState(current,visited2,prog.start,context)}if(anchor!==ANCHOR_BOTH){
for(const pc of current){const inst=prog.getInst(pc);if(inst.op===Inst.MATCH){return true}}}if(i>=endPos||width===0)break;
next.clear();for(const pc of current){const inst=prog.getInst(pc);if(Inst.isRuneOp(inst.op)&&inst.matchRune(rune)){const nextContext=emptyOpContext(
rune,i+width<endPos?input.step(i+width)>>3:-1);const visited2=new Set;addState(next,visited2,inst.out,nextContext)}}if(anchor===
UNANCHORED){const nextRune=i+width<endPos?input.step(i+width)>>3:-1;const nextContext=emptyOpContext(rune,nextRune);const visited2=new Set;
addState(next,visited2,prog.start,nextContext)}prevRune=rune;[current,next]=[next,current];i+=width-1}const endContext=emptyOpContext(
prevRune,-1);const visited=new Set;const finalSet=new Set;for(const pc of current){addState(finalSet,visited,pc,endContext)}
for(const pc of finalSet){const inst=prog.getInst(pc);if(inst.op===Inst.MATCH)return true}return false}numberOfCapturingGroups(){
return this.numSubexp}reset(){}toString(){return this.expr}match(s){return this.executeEngine(fromUTF16(s),0,UNANCHORED,
0)!==null}};var RE2JS=class _RE2JS{patternInput;flagsInput;re2Input;static CASE_INSENSITIVE=1;static DOTALL=2;static MULTILINE=4;static DISABLE_UNICODE_GROUPS=8;static quote(str){
return quoteMeta(str)}static compile(regex,flags=0){return new _RE2JS(regex,flags)}static validateFlags(flags){if((flags&
~(_RE2JS.MULTILINE|_RE2JS.DOTALL|_RE2JS.CASE_INSENSITIVE|_RE2JS.DISABLE_UNICODE_GROUPS))!==0){throw new RE2JSFlagsException(
"Flags should only be a combination of MULTILINE, DOTALL, CASE_INSENSITIVE, DISABLE_UNICODE_GROUPS")}}static buildRegexWithFlags(regex,flags=0){
let fregex=regex;if((flags&_RE2JS.CASE_INSENSITIVE)!==0){fregex=`(?i)${fregex}`}if((flags&_RE2JS.DOTALL)!==0){fregex=`(?\
s)${fregex}`}if((flags&_RE2JS.MULTILINE)!==0){fregex=`(?m)${fregex}`}return fregex}static matches(regex,input){return _RE2JS.
compile(regex).testExact(input)}constructor(pattern,flags=0){let re2Flags=PERL;if((flags&_RE2JS.DISABLE_UNICODE_GROUPS)!==
0){re2Flags&=~UNICODE_GROUPS}_RE2JS.validateFlags(flags);const fregex=_RE2JS.buildRegexWithFlags(pattern,flags);this.patternInput=
pattern;this.flagsInput=flags;this.re2Input=RE2.compileImpl(fregex,re2Flags)}reset(){this.re2Input.reset()}flags(){return this.
flagsInput}pattern(){return this.patternInput}re2(){return this.re2Input}matches(input){return this.testExact(input)}test(input){
return this.re2Input.match(input)}testExact(input){return this.re2Input.executeEngine(fromUTF16(input),0,ANCHOR_BOTH,0)!==
null}toString(){return this.patternInput}groupCount(){return this.re2Input.numberOfCapturingGroups()}namedGroups(){return this.
re2Input.namedGroups}};var MAX_PATTERN=1e3;var MAX_SIZE=2e3;var MAX_CACHED2=200;var Patterns=class{#compiled=new Map;hasMatch(text,pattern){return this.#compile(
pattern).test(text)}getSize(pattern){return countInstructions(this.#compile(pattern))}#compile(pattern){const known=this.#compiled.
get(pattern);if(known!==void 0)return known;const compiled=RE2JS.compile(pattern);const[oldest]=this.#compiled.keys();if(this.#compiled.
size>=MAX_CACHED2&&oldest!==void 0)this.#compiled.delete(oldest);this.#compiled.set(pattern,compiled);return compiled}};
var countInstructions=pattern=>pattern.re2().prog.numInst();function findPatternProblem(pattern){if(pattern.length>MAX_PATTERN)
return`is longer than ${MAX_PATTERN} characters`;try{return countInstructions(RE2JS.compile(pattern))>MAX_SIZE?"is too l\
arge when its repetitions {n,m} are written out; repeat less":null}catch(error){return`is none: ${error instanceof Error?
error.message:"it cannot be read"}`}}var LOOPS=new Set(["all","exists","exists_one","map","filter"]);var MAX_LOOPS=2;function findRefusal(node,loops=0){const isLoop=node.
op==="rcall"&&LOOPS.has(node.args[0]);const depth=isLoop?loops+1:loops;const message=depth>MAX_LOOPS?"loops can be neste\
d two deep at most":findProblem(node);if(message!==null)return{message,offset:node.range.start};for(const child of listChildren(
node)){const isList=isLoop&&child===node.args[1];const found=findRefusal(child,isList?loops:depth);if(found!==null)return found}
return null}function countLoopDepth(node){const isLoop=node.op==="rcall"&&LOOPS.has(node.args[0]);const depths=listChildren(
node).map(child=>isLoop&&child!==node.args[1]?countLoopDepth(child)+1:countLoopDepth(child));return Math.max(isLoop?1:0,
...depths)}function findProblem(node){if(node.op==="call"){const[name]=node.args;if(name==="dyn")return"dyn() is not ava\
ilable; types are checked when the file is read";return FUNCTIONS.has(name)?null:`${name}() is not available`}return node.
op==="rcall"?findCallProblem(node.args[0],node.args[2]):null}var FUNCTIONS=new Set(["bool","double","has","int","size","\
string","sum","type"]);var METHODS=new Set([...LOOPS,"bind","contains","endsWith","indexOf","join","lastIndexOf","like",
"lowerAscii","size","split","startsWith","substring","trim","upperAscii"]);function findCallProblem(name,args){if(name===
"matches")return"matches() is not available; use like(), which takes RE2's patterns";if(!METHODS.has(name))return`${name}\
() is not available`;if(name!=="like")return null;const[pattern]=args;if(pattern?.op!=="value"||typeof pattern.args!=="s\
tring")return"like() takes a pattern written out in quotes";const problem=findPatternProblem(pattern.args);return problem===
null?null:`the pattern ${problem}`}var listChildren=({args})=>collectNodes(args);function collectNodes(value){if(Array.isArray(
value))return value.flatMap(collectNodes);return isNode(value)?[value]:[]}var isNode=value=>typeof value==="object"&&value!==
null&&"op"in value&&"args"in value;function listSearches(node){if(node.op==="||"||node.op==="&&")return node.args.flatMap(listSearches);const search=findSearch(
node);return search===null?[]:[search]}function findSearch(node){if(node.op!=="rcall"){const compared=COMPARISONS2.has(node.
op)?findComparedList(node):null;return compared===null?null:serialize(compared)}const[name,list,args]=node.args;if(name!==
"exists"&&name!=="exists_one")return null;return`${serialize(list)}.filter(${args.map(serialize).join(", ")})`}var COMPARISONS2=new Set(
[">",">=","!=","=="]);function findComparedList({args}){const[left]=args;if(left?.op==="rcall"&&left.args[0]==="size")return findFilter(
left.args[1]);if(left?.op==="call"&&left.args[0]==="size")return findFilter(left.args[1][0]);return null}var findFilter=node=>node?.
op==="rcall"&&node.args[0]==="filter"?node:null;var CHARACTERS_PER_STEP=16;var PAIRS_PER_STEP=128;var INSTRUCTIONS_PER_STEP=8;var DIGIT_PAIRS_PER_STEP=16;var ADDITION_STEPS=8;
var OperationCost=class{#calls;constructor(patterns){const matchCost=([text,pattern],meter)=>{if(typeof text==="string"&&
typeof pattern==="string")meter.charge(Math.ceil(text.length*patterns.getSize(pattern)/INSTRUCTIONS_PER_STEP))};this.#calls=
new Map([...CALLS,["like",matchCost]])}chargeOperator(operator,operands,meter){(OPERATORS2.get(operator)??chargeWeights)(
operands,meter)}chargeCall(name,args,meter){(this.#calls.get(name)??chargeWeights)(args,meter)}};var chargeWeights=(operands,meter)=>{
for(const operand of operands)meter.charge(computeValueWeight(operand))};var OPERATORS2=new Map([["==",([left],meter)=>chargeDeep(
left,meter)],["!=",([left],meter)=>chargeDeep(left,meter)],["in",([,list],meter)=>chargeDeep(list,meter)],["+",([left,right],meter)=>chargeSum(
left,right,meter)],["*",([left,right],meter)=>meter.charge(computeProductCost(left,right))]]);var chargeSearch=([text,searched],meter)=>meter.
charge(computeSearchCost(text,searched));var CALLS=new Map([["contains",chargeSearch],["indexOf",chargeSearch],["lastInd\
exOf",chargeSearch],["split",([text,by],meter)=>meter.charge(computeSearchCost(text,by)+countSplitParts(text,by))],["joi\
n",([list,by],meter)=>chargeJoin(list,by,meter)],["sum",([list],meter)=>chargeAll(list,ADDITION_STEPS,meter)],["size",([
value],meter)=>meter.charge(typeof value==="string"?value.length:0)],["startsWith",([,start],meter)=>meter.charge(computeValueWeight(
start))],["endsWith",([,end],meter)=>meter.charge(computeValueWeight(end))]]);function computeValueWeight(value){if(typeof value===
"string")return Math.ceil(value.length/CHARACTERS_PER_STEP);if(value instanceof ConditionAmount)return Math.ceil(value.value.
length/CHARACTERS_PER_STEP);if(Array.isArray(value))return value.length;return isMap(value)?Object.keys(value).length:0}
var isMap=value=>typeof value==="object"&&value!==null&&Object.getPrototypeOf(value)===Object.prototype;function chargeDeep(value,meter){
const open=[value];while(open.length>0){const one=open.pop();meter.charge(1+computeValueWeight(one));for(const element of getElements(
one))open.push(element)}}function getElements(value){if(Array.isArray(value))return value;return isMap(value)?Object.values(
value):[]}function chargeSum(left,right,meter){if(typeof left==="string"&&typeof right==="string")limitText(left.length+
right.length,meter);if(Array.isArray(left)&&Array.isArray(right))limitList(left.length+right.length,meter);meter.charge(
computeValueWeight(left)+computeValueWeight(right))}function limitText(length,meter){if(length>MAX_TEXT)meter.refuse(`it\
 builds a text of more than ${MAX_TEXT.toLocaleString("en")} characters; build a shorter one`)}function limitList(length,meter){
if(length>MAX_LIST)meter.refuse(`it builds a list of more than ${MAX_LIST.toLocaleString("en")} elements; build a shorte\
r one`)}var countDigits=value=>value instanceof ConditionAmount?value.value.length:20;var computeProductCost=(left,right)=>left instanceof
ConditionAmount||right instanceof ConditionAmount?Math.ceil(countDigits(left)*countDigits(right)/DIGIT_PAIRS_PER_STEP):0;
function computeSearchCost(text,searched){if(typeof text!=="string"||typeof searched!=="string")return 0;return computeValueWeight(
text)+Math.ceil(text.length*searched.length/PAIRS_PER_STEP)}function countSplitParts(text,separator){if(typeof text!=="s\
tring"||typeof separator!=="string")return 0;return Math.ceil(2*text.length/Math.max(1,separator.length))}function chargeAll(list,each,meter){
if(!Array.isArray(list))return;meter.charge(list.length*each);for(const element of list)meter.charge(computeValueWeight(
element))}function chargeJoin(list,separator,meter){if(!Array.isArray(list))return;meter.charge(list.length);const between=typeof separator===
"string"?separator.length*list.length:0;const length=list.reduce((sum2,one)=>sum2+(typeof one==="string"?one.length:0),between);
limitText(length,meter);meter.charge(Math.ceil(length/CHARACTERS_PER_STEP))}function createMeteredEvaluation(environment,patterns){const cost=new OperationCost(patterns);const carrier=environment.
parse("true");const root=carrier.ast;carrier.check();let metered=null;return(parsed,values,meter)=>{root.evaluate=(evaluator,_part,scope)=>{
metered??=createMetered(evaluator,cost,meter);metered.meter=meter;return metered.run(parsed.ast,scope)};return carrier(values)}}
function createMetered(evaluator,cost,meter){const run=function run2(part,scope){this.meter.charge(1);if(part.isMetered===
void 0)meterOperations(part,cost);return part.evaluate(this,part,scope)};const own={meter,run,tryEval(part,scope){try{return this.
run(part,scope)}catch(error){return error}},debugTypeDeep:value=>evaluator.debugTypeDeep(value)};return Object.assign(Object.
create(evaluator),own)}function meterOperations(part,cost){part.isMetered=true;for(const one of[part,part.meta.alternate])
if(one!==void 0)meterHandle(one,cost)}function meterHandle(part,cost){const{op,handle}=part;if(handle===void 0)return;const name=String(
part.args[0]);if(OPERATORS3.has(op))part.handle=(...args)=>{cost.chargeOperator(op,args,getMeter(args,3));return handle(
...args)};if(op==="call")part.handle=(...args)=>{cost.chargeCall(name,getArguments(args),getMeter(args,2));return handle(
...args)};if(op==="rcall")part.handle=(...args)=>{cost.chargeCall(name,getArguments(args),getMeter(args,1));return handle(
...args)}}var getMeter=(args,at)=>args[at].meter;var getArguments=([list])=>Array.isArray(list)?list:[];var OPERATORS3=new Set(
["==","!=","in","+","-","*","/","%","<","<=",">",">="]);var AMOUNTS2=["before","after","change","percent","currency"];var COUNTS2=["added","changed","deleted","replaced","impor\
ted","removed","unchanged","drifted"];var NEEDS=[{fact:"stages",variables:["stages"],members:null},{fact:"cost",variables:[
"cost","costs"],members:null},{fact:"cost",variables:["stages"],members:AMOUNTS2},{fact:"totals",variables:["cost","cost\
s","stages"],members:["before","after","percent"]},{fact:"currency",variables:["cost"],members:null},{fact:"modules",variables:[
"modules"],members:null},{fact:"resources",variables:["resources"],members:null},{fact:"rows",variables:["resources"],members:[
"action"]},{fact:"counts",variables:["changes","stages"],members:COUNTS2},{fact:"unchanged",variables:["changes","stages"],
members:["unchanged"]},{fact:"rows",variables:["changes"],members:["rows"]},{fact:"unpriced",variables:["unpriced"],members:null},
{fact:"unpriced",variables:["stages"],members:["unpriced"]},{fact:"usage",variables:["usage"],members:null},{fact:"usage",
variables:["stages"],members:["usage"]},{fact:"usage_resources",variables:["usage"],members:["resources"]},{fact:"paths",
variables:["pull"],members:["paths"]},{fact:"author",variables:["pull"],members:["author"]},{fact:"labels",variables:["p\
ull"],members:["labels"]},{fact:"savings",variables:["savings"],members:null},{fact:"anomalies",variables:["anomalies"],
members:null},{fact:"governance",variables:["governance"],members:null},{fact:"unit_costs",variables:["unit_costs"],members:null},
{fact:"governance_prompts",variables:["governance_prompts"],members:null},{fact:"cost",variables:["drift","lifetimes"],members:null},
{fact:"drift",variables:["drift"],members:null},{fact:"totals",variables:["lifetimes"],members:null},{fact:"lifetimes",variables:[
"lifetimes"],members:null}];function listNeededFacts(ast){const used={names:new Set,members:new Set};collectUsedNames(ast,
used);const applies=({variables,members})=>variables.some(name=>used.names.has(name))&&(members===null||members.some(member=>used.
members.has(member)));return[...new Set(NEEDS.filter(applies).map(({fact})=>fact))]}var ALL_MEMBERS=Object.values(TYPES2).
flatMap(type=>Object.keys(type));function collectUsedNames(node,used){if(node.op==="id")used.names.add(node.args);if((node.
op==="."||node.op===".?")&&!isUnitCost(node.args[0]))used.members.add(newerName(node.args[1]));if(node.op==="[]"||node.op===
"[?]")for(const name of listIndexMembers(node.args[1]))used.members.add(newerName(name));for(const child of listChildren(
node))collectUsedNames(child,used)}var newerName=member=>OLDER_MEMBERS[member]??member;var isUnitCost=node=>{const{checkedType}=node;
return checkedType?.name==="UnitCost"};var listIndexMembers=index=>index.op==="value"?[String(index.args)]:ALL_MEMBERS;var MAX_EXPRESSION=4e3;function compileCondition(text){const language=sharedLanguage();const parsed=parseExpression(language.
environment,text);if(!("ast"in parsed))return parsed;const checked=parsed.check();if(!checked.valid)return{ok:false,...adviseOn(
text,checked.error)};if(checked.type!=="bool")return{ok:false,message:`is a ${checked.type}; expected something true or \
false`,offset:0};const refusal=findRefusal(parsed.ast);if(refusal!==null)return{ok:false,...refusal};return{ok:true,condition:createCondition(
language,parsed)}}function createCondition({environment,evaluate:evaluate2},parsed){const searches=listSearches(parsed.ast).
map(source=>checkTypes(environment.parse(source)));return{needs:listNeededFacts(parsed.ast),hasCount:searches.length>0,hasNestedLoops:countLoopDepth(
parsed.ast)>1,isTrue:(values,meter)=>{const holds=evaluate2(parsed,values,meter)===true;if(meter.exceeded!==null)throw meter.
exceeded;return holds},listMatches:(values,meter)=>{const names=searches.flatMap(search=>listElementNames(evaluate2(search,
values,meter)));meter.charge(names.length*NAME_STEPS);return[...new Set(names)]}}}var NAME_STEPS=50;function checkTypes(parsed){
parsed.check();return parsed}function listElementNames(list){if(!Array.isArray(list))return[];return list.map(element=>{
if(typeof element!=="object"||element===null)return String(element);const{address,path,workspace,description,name,currency}=element;
return String(address??path??workspace??description??name??currency)})}function parseExpression(environment,text){if(text.
length>MAX_EXPRESSION)return{ok:false,message:`is longer than ${MAX_EXPRESSION} characters`,offset:0};try{return environment.
parse(text)}catch(error){return{ok:false,...adviseOn(text,error)}}}var sharedLanguage=memoize(()=>{const patterns=new Patterns;
const environment=createEnvironment(patterns);return{environment,evaluate:createMeteredEvaluation(environment,patterns)}});
function memoize(make){let made=null;return()=>{made??={value:make()};return made.value}}function listMissingFacts(need,report,context){return[...listReportGaps(report),...MISSING_FACT_CHECKS[need](report,context)]}
var MISSING_FACT_CHECKS={stages:({stages})=>stages.flatMap(listStageDoubts2),cost:report=>[...report.stages.flatMap(listLineDoubts),
...findReportUsageDoubt(report,true)],totals:({stages})=>stages.flatMap(({narrowed})=>narrowed?.amountsAreWhole===false?
[PARTIAL2]:[]),currency:({totals:[first,...others]})=>others.map(({currency})=>({kind:"other_currency",found:currency,expected:first?.
currency??""})),modules:report=>[...report.stages.flatMap(listLineDoubts),...findReportUsageDoubt(report,true),...report.
modulesBecause.map(unknown),...report.stages.flatMap(({modules,modulesBecause})=>modules===null&&modulesBecause===null?[
PARTIAL2]:[]),...report.modules.filter(line=>line.unattributed&&!isRounding(line.change)).map(()=>PARTIAL2)],resources:report=>[
...report.stages.flatMap(listLineDoubts),...findReportUsageDoubt(report,true),...report.resources.every(isStatedInFull)?
[]:[PARTIAL2],...selectUnexplainedStages(report).map(()=>PARTIAL2)],counts:({stages})=>stages.flatMap(({counts,countsBecause,
narrowed,unreadRows})=>{if(counts===null||countsBecause!==null)return[unknown(countsBecause??"not_read")];const isCut=counts.
replaced===null||narrowed!==null&&unreadRows>0;return isCut?[unknown("too_large")]:[]}),unchanged:({stages})=>stages.flatMap(
({narrowed})=>narrowed===null?[]:[PARTIAL2]),rows:({stages,rows})=>[...stages.flatMap(({rowsBecause,omittedRows,unreadRows})=>{
if(rowsBecause!==null)return[unknown(rowsBecause)];return omittedRows+unreadRows>0?[unknown("too_large")]:[]}),...rows.some(
({type})=>type==="")?[unknown("not_stated")]:[]],unpriced:({stages})=>stages.flatMap(stage=>{const because=findUnpricedDoubt(
stage);return because===null?[]:[unknown(because)]}),usage:({stages})=>stages.flatMap(stage=>{const because=findUsageDoubt(
stage);return because===null?[]:[unknown(because)]}),usage_resources:({stages})=>stages.flatMap(({usageBased})=>(usageBased?.
unnamed??0)>0?[unknown("not_stated")]:[]),paths:(_,{pathsComplete,local})=>pathsComplete?[]:[unknown(local?"local_previe\
w":"too_large")],author:(_,{author,local})=>author===null?[unknown(local?"local_preview":"not_stated")]:[],labels:(_,{labels,
local})=>labels===null?[unknown(local?"local_preview":"not_stated")]:[],savings:({context:{savings}})=>savings.state==="\
known"&&!areSavingsComplete(savings.value)?[PARTIAL2]:listFactDoubts(savings),anomalies:({context})=>listFactDoubts(context.
anomalies),governance:({context})=>listFactDoubts(context.governance),unit_costs:({context:{unitCosts}})=>unitCosts.state===
"known"&&unitCosts.value.some(({before,after})=>before===null||after===null)?[unknown("not_stated")]:listFactDoubts(unitCosts),
governance_prompts:({context})=>listFactDoubts(context.prompts),drift:({stages,drift:drift2})=>[...stages.flatMap(({counts,
countsBecause})=>counts===null||countsBecause!==null?[unknown(countsBecause??"not_read")]:[]),...drift2.flatMap(({split})=>split===
null?[PARTIAL2]:[])],lifetimes:listMissingLifetimes};function listMissingLifetimes({stages,lifetimes,context:{schedules}}){
if(schedules.state==="absent")return[];if(schedules.state!=="known")return listFactDoubts(schedules);const stagesWithLifetime=new Set(
lifetimes.map(({stage})=>stage));const ends=stage=>schedules.value.some(({org,project,lifetime})=>lifetime!==null&&org===
stage.org&&project===stage.project);return stages.filter(stage=>ends(stage)&&!stagesWithLifetime.has(buildStageKey(stage))).
map(()=>unknown("not_stated"))}var areSavingsComplete=({unmatched,totals,items})=>unmatched===0&&totals.every(({amount,currency})=>{
const listed=listMissedSavings({items}).filter(({monthly})=>monthly.currency===currency);return isRounding(minus(amount,
sum(listed.map(({monthly})=>monthly.amount))))});var PARTIAL2={kind:"partial"};function listStageDoubts2(stage){if(!stage.
proven)return[unknown("unproven")];if(isStageUnread(stage))return[unknown(stage.because[0]??"not_read")];return stage.status===
"unknown"?[unknown("not_stated")]:[]}function selectUnexplainedStages({stages,resources}){const listedIn=Map.groupBy(resources,
({stage})=>stage);return stages.filter(stage=>{const listed=sumKnown((listedIn.get(buildStageKey(stage))??[]).map(({change})=>change));
return stage.change===null||listed===null||!isRounding(minus(stage.change,listed))})}function listFactDoubts(fact){if(fact.
state==="known")return[];return[unknown(fact.state==="unknown"?fact.reason:fact.state==="stale"?"unavailable":"not_state\
d")]}var when={granularities:["pull-request"],parts:["modules","types"],read:(report,{limit,context,conditions})=>{const because=selectUniqueReasons(
limit.needs.flatMap(need=>conditions.getMissing({report,context,need},()=>listMissingFacts(need,report,context))));if(because.
length>0)return[createUndecided(because)];const{expression}=limit;const read=conditions.evaluate(expression,meter=>readCondition(
expression,{report,context,conditions,meter}));return["problem"in read?createFailed(read.problem):read]}};function readCondition(expression,{
report,context,conditions,meter}){const compiled=compileCondition(expression);if(!compiled.ok)return createFailed(compiled.
message);if(compiled.condition.hasNestedLoops&&findLargestLength(report,context)>MAX_NESTED)return createUndecided([unknown(
"too_large")]);try{return evaluateCondition(compiled.condition,conditions.getValues(report,context),meter)}catch(error){
return createFailed(describeFailure(error))}}var MAX_NESTED=1e3;var findLargestLength=({stages,modules,resources,rows},{
paths})=>Math.max(...[stages,modules,resources,rows,paths].map(({length})=>length));var createUndecided=because=>({subject:null,
value:null,because});var createFailed=problem=>createUndecided([{kind:"condition_failed",problem}]);function evaluateCondition(condition,values,meter){
const holds=condition.isTrue(values,meter);const found=holds?findItems(condition,values,meter):[];const count2=condition.
hasCount&&found!==null?found.length:null;return{subject:null,value:{kind:"condition",isTrue:holds,count:count2},because:[],
items:found??[]}}function findItems(condition,values,meter){try{return condition.listMatches(values,meter)}catch(error){
if(error instanceof CostExceededError)throw error;return null}}function describeFailure(error){const{summary,message}=error;
return(summary??message??"it could not be evaluated").split("\n",1)[0]??""}var RULE_KINDS={increase,decrease,percent,total,deletions,replacements,changes,drift,unpriced,usage,"missed-savings":missedSavings,
anomalies,"governance-failures":governanceFailures,"unit-cost":unitCost,budget,when};var canScopeApply=(scope,context)=>findExcludingMember(scope,context)===null;function findExcludingMember(scope,context){
if(scope===null)return null;return PULL_MEMBERS.find(member=>!POSSIBLE_MATCHES[member](scope,context))??null}var PULL_MEMBERS=[
"branches","authors","labels","paths"];var POSSIBLE_MATCHES={branches:({branches,not},{baseRef})=>createMatcher(branches,
not?.branches)(baseRef),authors:({authors,not},{author})=>{if(author===null)return true;const isIn=authors.length===0||authors.
some(login=>stripBotSuffix(login.toLowerCase())===stripBotSuffix(author));return isIn&&!not?.authors.some(login=>login.toLowerCase()===
author)},labels:(scope,{labels})=>labels===null||hasScopeLabels(scope,labels),paths:({paths:named,not},{paths,pathsComplete})=>{
if(!pathsComplete||named.length===0&&paths.length===0)return true;return paths.some(createMatcher(named,not?.paths))}};var hasScopeLabels=({
labels:wanted,not},labels)=>(wanted.length===0||hasAnyLabel(wanted,labels))&&!hasAnyLabel(not?.labels??[],labels);function isScopeCertain(scope,context){
if(scope===null)return true;const{labels:wanted,paths:named,not}=scope;const{labels,baseRef,paths,pathsComplete}=context;
const asksForLabels=wanted.length+(not?.labels.length??0)>0;const asksForPaths=named.length+(not?.paths.length??0)>0;return createMatcher(
scope.branches,not?.branches)(baseRef)&&isAuthorCertain(scope,context)&&(!asksForLabels||labels!==null&&hasScopeLabels(scope,
labels))&&(!asksForPaths||pathsComplete&&paths.length>0&&paths.every(createMatcher(named,not?.paths)))}function isAuthorCertain({
authors,not},{author}){const excludedAuthors=not?.authors??[];const isIn=authors.length===0||authors.some(login=>login.toLowerCase()===
author);if(excludedAuthors.length===0)return isIn;return isIn&&author!==null&&!excludedAuthors.some(login=>stripBotSuffix(
login.toLowerCase())===stripBotSuffix(author))}var stripBotSuffix=login=>login.replace(/\[bot\]$/,"");function hasAnyLabel(wanted,labels){
const there=new Set(labels.map(label=>label.toLowerCase()));return wanted.some(label=>there.has(label.toLowerCase()))}var MAX_NAMES2=10;function findPullMismatch(scope,context){const member=findExcludingMember(scope,context);if(member===null||
scope===null)return null;const{author,labels,baseRef,paths}=context;const here={branches:[baseRef],authors:author===null?
[]:[author],labels:labels??[],paths};const{not,...named}=scope;const isLeftOut=findExcludingMember(named,context)!==member;
return{member,patterns:(isLeftOut?not??named:named)[member],...limitNames(here[member]),meant:null,...isLeftOut&&{excluded:true}}}
function findPartMismatch(scope,input){const{stages,refused}=input.report;if(!isPartialScope(scope)||stages.length===0)return null;
if(listUnseenDoubts(refused).length>0||stages.some(isStageUnread))return null;const found=findReportMismatch(scope,input);
return found!==null&&isElsewhere(scope,input)?{...found,meant:null,elsewhere:true}:found}var isElsewhere=(scope,{names,context:{
budgetUse}})=>budgetUse?.workspaces.some(known=>isWorkspaceInScope(scope,{workspace:known.workspace,name:names.getName(known)}))===
true;function findReportMismatch(scope,{report:{stages},partNames}){const{not}=scope;const names=stages.map(({name})=>name);
const isStageNamed=createMatcher(scope.stages,not?.stages);const named=stages.filter(({name})=>isStageNamed(name));if(named.
length===0)return findMemberMismatch("stages",scope,{names,isNamed:names.some(createMatcher(scope.stages))});const workspaces=named.
map(({workspace})=>workspace);const isWorkspaceNamed=createMatcher(scope.workspaces,not?.workspaces);const chosen=named.
filter(({workspace})=>isWorkspaceNamed(workspace));if(chosen.length===0)return findMemberMismatch("workspaces",scope,{names:workspaces,
isNamed:workspaces.some(createMatcher(scope.workspaces))});return findModuleMismatch(scope,partNames.listModules(chosen))??
findTypeMismatch(scope,partNames.listResourceTypes(chosen))}function findModuleMismatch(scope,here){const{not,...named}=scope;
if(named.modules.length+(not?.modules.length??0)===0)return null;if(here.some(createModuleMatcher(scope)))return null;return findMemberMismatch(
"modules",scope,{names:here.map(toPatternPath),isNamed:here.some(createModuleMatcher(named))})}function findTypeMismatch(scope,here){
const{resourceTypes,providers,not}=scope;const lists=[resourceTypes,providers,not?.resourceTypes??[],not?.providers??[]];
if(lists.every(list=>list.length===0))return null;if(here.includes(""))return null;const chosen=here.filter(createMatcher(
resourceTypes,not?.resourceTypes));if(chosen.length===0)return findMemberMismatch("resource_types",scope,{names:here,isNamed:here.
some(createMatcher(resourceTypes))});if(chosen.some(createProviderMatcher(providers,not?.providers)))return null;const isNamed=chosen.
some(createProviderMatcher(providers));return findMemberMismatch("providers",scope,{names:chosen.map(parseProvider),isNamed})}
function findMemberMismatch(member,{not,...named},{names:here,isNamed}){const patterns=(isNamed?not??named:named)[MEMBER_KEYS[member]];
if(patterns.length===0)return null;const names=[...new Set(here)].sort();if(isNamed)return{member,patterns,...limitNames(
names),meant:null,excluded:true};const[meant=null]=patterns.flatMap(pattern=>suggestChoice(pattern,names)??[]);return{member,
patterns,...limitNames(names),meant}}var MEMBER_KEYS={stages:"stages",workspaces:"workspaces",modules:"modules",resource_types:"\
resourceTypes",providers:"providers"};var limitNames=names=>({here:names.slice(0,MAX_NAMES2),more:Math.max(0,names.length-
MAX_NAMES2)});function createPartNames(report){const{rows,resources,usageBased=[]}=report;const collect=(getStated,getName)=>{const names2=new Map(
report.stages.map(stage=>[buildStageKey(stage),new Set(getStated(stage))]));for(const list of[rows,resources,usageBased])
for(const part of list)names2.get(part.stage)?.add(getName(part));return names2};const names=createLazyObject({modules:()=>collect(
stage=>stage.modules?.map(({module})=>module)??[],({module})=>module),types:()=>collect(listStatedTypes,({type})=>type)});
return{listModules:stages=>unite(names.modules,stages),listResourceTypes:stages=>unite(names.types,stages)}}var listStatedTypes=({
types,unpriced:unpriced2})=>[...types?.map(({type})=>type)??[],...Object.keys(unpriced2?.types??{})];var unite=(names,stages)=>[
...new Set(stages.flatMap(stage=>[...names.get(buildStageKey(stage))??[]]))];function waiveFindings(rule,findings,input){if(findings.every(({outcome})=>outcome!=="violated"))return findings;const{report,
context,evaluateRule}=input;const results=input.waivers.filter(({rule:id,untilMs,scope})=>{return id===rule.id&&context.
nowMs<untilMs&&isScopeCertain(scope,context)}).map(waiver=>{const raised={...rule,limit:raiseLimit(rule.limit,waiver),enforceIn:[]};
return{waiver,open:selectOpen(evaluateRule(raised,narrowToSureScope(report,waiver.scope)))}});if(results.length===0)return findings;
const getRest=cacheByScopes(waivers=>findRest(rule,waivers,input));return findings.map(finding=>{const waiver=finding.outcome===
"violated"?findCoveringWaiver(finding,results,getRest):null;if(waiver===null)return finding;const{owner,reason,untilMs}=waiver;
return{...finding,waiver:{owner,reason,untilMs}}})}function findCoveringWaiver(finding,results,getRest){const able=results.
filter(({open})=>isFindingClosed(finding,open)).map(({waiver})=>waiver);const ways=[...able.map(waiver=>[waiver]),...able.
length>1?[able]:[]];return ways.find(way=>isFindingClosed(finding,getRest(way)))?.[0]??null}function findRest(rule,waivers,{
report,evaluateRule}){const rest=waivers.reduce((left,{scope})=>left===null?null:excludeScope(left,scope),report);return rest===
null?[]:selectOpen(evaluateRule(rule,rest))}var selectOpen=findings=>findings.filter(({outcome})=>outcome!=="passed");var isFindingClosed=(finding,open)=>{
const left=finding.alreadyAbove?open:open.filter(({alreadyAbove})=>!alreadyAbove);return left.length===0||hasOneSubject(
finding)&&left.every(other=>hasOneSubject(other)&&other.subject!==finding.subject)};var hasOneSubject=({subject,others})=>subject!==
null&&others===0;function raiseLimit(limit,{upTo}){if(upTo===null)return removeBound(limit);if(typeof upTo==="object")return"\
amount"in limit?{...limit,amount:upTo}:limit;if("percent"in limit)return{...limit,percent:upTo};return"count"in limit?{...limit,
count:Number(upTo)}:limit}function removeBound(limit){if(limit.kind==="when")return{...limit,expression:"false"};return"\
count"in limit?{...limit,count:Number.MAX_SAFE_INTEGER}:limit}function cacheByScopes(make){const cache=new Map;return waivers=>{
const key=JSON.stringify(waivers.map(({scope})=>scope));const known=cache.get(key)??make(waivers);cache.set(key,known);return known}}function splitBySeverity(rule,report){if(rule.enforceIn.length===0)return[{part:report,enforce:rule.enforce}];const getSeverity=createSeverityReader(
rule);const isHidden=listUnseenDoubts(report.refused).length>0;const parts=["block","warn"].map(enforce=>{return{enforce,
part:narrowReport(report,stage=>getSeverity(stage)===enforce?"all":"none")}});const held=parts.filter(({part,enforce})=>part.
stages.length>0||isHidden&&enforce==="block");return held.length>0?held:[{part:report,enforce:rule.enforce}]}function createSeverityReader({
enforceIn,enforce}){const patterns=enforceIn.map(own=>({matches:compileGlob(own.stage),enforce:own.enforce}));return stage=>{
if(isStageUnread(stage))return"block";return patterns.find(({matches})=>matches?.(stage.name))?.enforce??enforce}}function evaluateWithin(report,policy,options){const{waivers,rules,stages,organisationStages}=policy;const{context}=options;
const own=createInputs(report,stages,options);const strict=rules.some(({mandatory})=>mandatory)?createStrictInputs(report,
organisationStages,options):own;const findings=rules.flatMap(rule=>{const other=findPullMismatch(rule.scope,context);if(other!==
null)return[createNotApplicable(rule,other)];const input=rule.mandatory?strict:own;const findings2=waiveFindings(rule,input.
evaluateRule(rule,input.report),{...input,context,waivers});const missing=findings2.every(hasPassed)?findPartMismatch(rule.
scope,{...input,context}):null;return missing===null?findings2:[createNotApplicable(rule,missing)]});return combineFindings(
findings)}var hasPassed=({outcome})=>outcome==="passed";var createStrictInputs=(report,names,options)=>createInputs(renameStages(
report,names),names,options);function createInputs(report,stages,options){const names=createStageNames(report,stages);const evaluateRule=createRuleEvaluator(
{...options,names});return{report,names,partNames:createPartNames(report),evaluateRule}}function combineFindings(findings){
const ordered=WORST_FIRST.flatMap(effect=>findings.filter(finding=>decideEffect(finding)===effect));const[worst]=ordered;
return{kind:worst===void 0?"pass":decideEffect(worst),findings:ordered}}function decideEffect(finding){const{outcome,enforce,
onUnknown,approved,waiver}=finding;if(outcome==="passed"||outcome==="not_applicable")return"pass";if(outcome==="violated"&&
(approved||waiver!==null))return"pass";if(enforce==="warn")return"warn";if(outcome==="violated")return"block";return onUnknown===
"warn"?"warn":"undecided"}var WORST_FIRST=["block","undecided","warn","pass"];function createRuleEvaluator(input){const narrowed=cacheByRule(
(rule,report)=>narrowToScope(report,rule.scope),({scope})=>scope);const parted=cacheByRule(splitBySeverity,({enforceIn,enforce})=>[
enforceIn,enforce]);const read=cacheByRule((rule,report)=>measureRule(rule,report,input),({limit,per,scope})=>[limit.kind,
"existing"in limit&&limit.existing,per,"metric"in limit||"expression"in limit||limit.kind==="budget"||limit.kind==="miss\
ed-savings"?[limit,scope]:null]);return(rule,report)=>{const evaluatePart=({part,enforce})=>{const own=withEnforce(rule,
enforce);return isEmptiedPart(part,report)?[createEmptyPass(own)]:buildFindings(own,read(own,part))};const scopedReport=narrowed(
rule,report);const parts=parted(rule,scopedReport);const findings=parts.flatMap(evaluatePart);return findings.every(hasPassed)&&
parts.length>1?evaluatePart({part:scopedReport,enforce:"warn"}).map(toPassed(rule)):findings}}var toPassed=({enforce,onUnknown})=>finding=>finding.
outcome==="passed"?{...finding,enforce,onUnknown}:finding;var isEmptiedPart=(part,report)=>part.stages.length===0&&report.
stages.length>0&&listUnseenDoubts(report.refused).length===0;var withEnforce=(rule,enforce)=>enforce===rule.enforce?rule:
{...rule,enforce,onUnknown:enforce};function measureRule(rule,report,input){const{limit,per,scope}=rule;const kind=RULE_KINDS[limit.
kind];return sortMeasurements(kind.read(report,{...input,limit,per,scope}))}function cacheByRule(make,getKey){const cache=new Map;
return(rule,report)=>{const ofReport=cache.get(report)??new Map;cache.set(report,ofReport);const key=JSON.stringify(getKey(
rule));const known=ofReport.get(key)??make(rule,report);ofReport.set(key,known);return known}}function evaluateExpectation(input){const{expected,stages,sinceMs,nowMs}=input;if(expected.length===0)return{state:"not_\
expected"};const unmet=expected.map(expectation=>({missing:listMissing(expectation,stages),deadlineMs:sinceMs+expectation.
withinMs})).filter(({missing:missing2})=>missing2.length>0);if(unmet.length===0)return{state:"met"};const missing=selectUniqueWorkspaces(
unmet.flatMap(each=>each.missing));const deadlineMs=Math.min(...unmet.map(each=>each.deadlineMs));return nowMs<deadlineMs?
{state:"waiting",missing,deadlineMs}:{state:"deadline_passed",missing}}var selectApplicable=(files,all)=>all.filter(expectation=>isApplicable(
expectation,files));function isApplicable({paths},{changedFiles,filesComplete}){if(!filesComplete)return true;const globs=paths.
map(compileGlob);return changedFiles.some(file=>globs.some(glob=>glob?.(file)))}function listMissing({workspaces},stages){
const proven=stages.filter(stage=>stage.proven&&!(stage.status==="unknown"&&isStageUnread(stage)));const wanted=workspaces.
length===0?[null]:workspaces;return wanted.flatMap(workspace=>{const matches=workspace===null?()=>true:compileGlob(workspace);
const state=deriveState(proven.filter(stage=>matches?.(stage.workspace)));return state==="ended"?[]:[{workspace,state}]})}
function deriveState(stages){if(stages.length===0)return"missing";return stages.every(({status})=>status==="succeeded"||
status==="failed")?"ended":"pending"}var selectUniqueWorkspaces=missing=>missing.filter(({workspace},index)=>missing.findIndex(
other=>other.workspace===workspace)===index);var joinContexts=contexts=>({schedules:joinScheduleFacts(contexts.map(({schedules})=>schedules)),savings:joinFacts(contexts.
map(({savings})=>savings),joinSavings),anomalies:joinFacts(contexts.map(({anomalies:anomalies2})=>anomalies2),selectWorstAnomalies),
governance:joinFacts(contexts.map(({governance})=>governance),selectWorstGovernance),unitCosts:joinFacts(contexts.map(({
unitCosts})=>unitCosts),joinUnitCosts),prompts:joinFacts(contexts.map(({prompts})=>prompts),joinPrompts)});function joinFacts(facts,join){
const values=[];for(const fact of facts){if(fact.state!=="known")return fact;values.push(fact.value)}if(values.length===
0)return{state:"unknown",reason:"not_read"};return{state:"known",value:join(values)}}function joinScheduleFacts(facts){const presentFacts=facts.
filter(({state})=>state!=="absent");return facts.length>0&&presentFacts.length===0?{state:"absent"}:joinFacts(presentFacts,
joinSchedules)}var joinSchedules=all=>{const byPlace=new Map(all.flat().map(schedule=>{const{org,project,provisioner}=schedule;
return[JSON.stringify([org,project,provisioner]),schedule]}));return[...byPlace.values()]};function joinSavings(all){const totals=new Map;
for(const{amount,currency}of all.flatMap(savings=>savings.totals)){const before=totals.get(currency);totals.set(currency,
before===void 0?amount:plus(before,amount))}return{totals:[...totals].map(([currency,amount])=>({amount,currency})),items:all.
flatMap(({items})=>items).sort((a,b)=>compare(b.monthly.amount,a.monthly.amount)),unmatched:all.reduce((sum2,{unmatched})=>sum2+
unmatched,0)}}var selectWorstAnomalies=all=>all.reduce((worst,one)=>one.count>=worst.count?one:worst);var selectWorstGovernance=all=>all.
reduce((worst,one)=>one.failed>=worst.failed?one:worst);function joinPrompts(all){const byRule=Map.groupBy(all.flat(),({
resource,description})=>JSON.stringify([resource,description]));return[...byRule.values()].flatMap(prompts=>{const[first]=prompts;
return first===void 0?[]:[{...first,types:[...new Set(prompts.flatMap(({types})=>types))].sort()}]})}function joinUnitCosts(all){
const byMetric=Map.groupBy(all.flat(),({metric,perspective})=>JSON.stringify([metric,perspective]));return[...byMetric.values()].
flatMap(costs=>{const last=costs.at(-1);return last===void 0?[]:[{...last,after:costs.length===all.length?computeCombinedAfter(
costs,last):null}]})}function computeCombinedAfter(costs,{before,currency}){let after=before;for(const cost of costs){if(after===
null||cost.before===null||cost.after===null)return null;if(cost.currency!==currency||before===null||compare(cost.before,
before)!==0)return null;after=plus(after,minus(cost.after,cost.before))}return after}function isTouched({state,change,counts,countsBecause,usage:usage2}){if(hasUsageChange(usage2))return true;if(state!=="k\
nown"||change===null||compare(change,ZERO)!==0)return true;if(counts===null||countsBecause!==null)return true;return counts.
added+counts.changed+counts.deleted+counts.imported+counts.removed>0}function joinReports(reports){const owners=new Map;for(const[index,{stages}]of reports.entries()){for(const stage of stages){
const key=buildStageKey(stage);if(isTouched(stage)||!isHeldTouched(reports,owners.get(key),key))owners.set(key,index)}}const own=(index,key)=>owners.
get(key)===index;return assembleReport({stages:reports.flatMap(({stages},index)=>stages.filter(stage=>own(index,buildStageKey(
stage)))),resources:reports.flatMap(({resources},index)=>resources.filter(({stage})=>own(index,stage))),rows:reports.flatMap(
({rows},index)=>rows.filter(({stage})=>own(index,stage))),refused:reports.flatMap(({refused})=>refused),context:joinContexts(
reports.map(({context})=>context))})}var isHeldTouched=(reports,index,key)=>index!==void 0&&(reports[index]?.stages??[]).
some(stage=>buildStageKey(stage)===key&&isTouched(stage));function findOverlaps(entries){const touching=new Map;for(const{number,report}of entries){for(const stage of report.stages.
filter(isTouched)){const known=touching.get(buildStageKey(stage))??{workspace:stage.workspace,pulls:new Set};touching.set(
buildStageKey(stage),known);known.pulls.add(number)}}return[...touching.values()].filter(({pulls})=>pulls.size>1).map(({
workspace,pulls})=>({workspace,pulls:[...pulls]}))}function evaluateSum(policy,entries,evaluated){const planned=selectPlanned(entries);if(planned.length<2)return{kind:"sin\
gle"};const rules=policy.rules.filter(rule=>canBlock(rule)&&selectEntries(rule,planned).length>1);const overlaps=rules.length===
0?[]:findOverlaps(planned);if(overlaps.length>0)return{kind:"overlap",overlaps};const group=new Set(entries.map(({number})=>number));
const findings=rules.flatMap(rule=>listGroupBlockers(rule,{policy,group,entries:selectEntries(rule,planned),...evaluated}));
return findings.length===0?{kind:"passed"}:{kind:"exceeded",findings}}var selectPlanned=entries=>entries.filter(({report})=>report.
stages.length+report.refused.length>0);var joinGroupReports=entries=>joinReports(selectPlanned(entries).map(({report})=>report));
var canBlock=({enforce,enforceIn})=>enforce==="block"||enforceIn.some(own=>own.enforce==="block");var selectEntries=({scope},entries)=>entries.
filter(({context})=>canScopeApply(scope,context));function listGroupBlockers(rule,input){return evaluateRuleOnSum(rule,input).
filter(finding=>{if(finding.outcome!=="violated"||finding.others>0)return true;const left=input.entries.filter(entry=>!isAllowedIn(
entry,finding));if(left.length===input.entries.length)return true;if(left.length===0)return false;return evaluateRuleOnSum(
rule,{...input,entries:left}).some(other=>isSameFinding(other,finding))})}var isAllowedIn=({findings},finding)=>findings.
some(own=>own.rule===finding.rule&&(own.approved||own.waiver!==null)&&isSameFinding(own,finding));var isSameFinding=(a,b)=>a.
subject===null||b.subject===null||a.subject===b.subject;function evaluateRuleOnSum(rule,input){const{policy,entries,conditions}=input;
const report=joinReports(entries.map(entry=>entry.report));const alone={...policy,rules:[rule]};const found=new Map;for(const context of listContexts(
rule,input)){for(const finding of evaluateWithin(report,alone,{context,conditions}).findings){if(isHoldingGroup(finding)&&
!found.has(finding.subject))found.set(finding.subject,finding)}}return[...found.values()]}var isHoldingGroup=finding=>["\
block","undecided"].includes(decideEffect(finding));function listContexts(rule,{policy,group,entries,nowMs}){const varies=rule.
limit.kind==="when"||policy.waivers.some(waiver=>waiver.rule===rule.id);const budgetUse=joinOthersUse(entries,group);const contexts=entries.
map(({context})=>({...context,nowMs,budgetUse}));return varies?contexts:contexts.slice(-1)}function joinOthersUse(entries,group){
const uses=[];for(const{budgetUse}of entries.map(({context})=>context).sort((a,b)=>a.nowMs-b.nowMs)){if(budgetUse===null)
return null;uses.push(budgetUse)}const others=uses.flatMap(({pulls})=>pulls).filter(({number})=>!group.has(number));return{
workspaces:selectNewest(uses.flatMap(({workspaces})=>workspaces),buildStageKey),pulls:selectNewest(others,cost=>`${cost.
number} ${buildStageKey(cost)} ${cost.currency}`),unknown:selectNewest(uses.flatMap(({unknown:unknown2})=>unknown2),buildStageKey)}}
var selectNewest=(all,keyOf)=>[...new Map(all.map(one=>[keyOf(one),one])).values()];var COMMENT_SECTIONS=["findings","costs","unpriced","modules","resources","changes","savings","context"];export{decimal2 as decimal,money,sha,count,texts,AttributeChange,UnknownReason,CostDelta,ComponentCost,UnpricedResources,
UsageResource,UsageBasedResources,ModuleCost,ChangeCounts,ChangeKind,RowAttributes,ResourceChange,StageParts,RefusedExecution,
COMMENT_SECTIONS,UnitCost,ContextFacts,ContextName,NO_CONTEXT,byText,deriveModulePath,normalizeModuleName,findModulePath,
parseResourceType,buildStageKey,createStageLabels,isIntroduced,isOpenAfter,hasUsageChange,sumUsage,isRounding,sortMeasurements,
buildFindings,createLazyObject,getFactValue,buildReport,isStageUnread,formatPlainNumber,COST_LIMITS,compileCondition,RULE_KINDS,
renameStages,ConditionRun,evaluateWithin,combineFindings,decideEffect,cutLists,joinLists,evaluateExpectation,selectApplicable,
evaluateSum,joinGroupReports};
