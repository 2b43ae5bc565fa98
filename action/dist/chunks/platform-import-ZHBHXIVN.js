import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{IMPORT_KINDS,IMPORT_LIMITS,INTERNAL_CREATOR,MAX_LISTED_PROBLEMS,NO_TELEMETRY,SteadyClient,commitImport,copyUnstorable,
createLog,createPlatformClient,createRetryingCall,describeDatabaseFault,dropImport,esm_default,findDatabaseFault,getCodeFile,
importExecution,inputFile,isConnectionLost,openDatabase,readWorkspaceFiles,redactCredentials,refuseInsideTransaction,retryLost,
runUrgently,sql,startEmbeddedPlatform,systemClock,toDamageError,toStorableText,uploadImportPage,usageError,watchSpace}from"./chunk-PWLV6YX4.js";
import{Command,PARSE_OPTIONS,paragraphs,readEnvironment,readSettings}from"./chunk-R4HMJF4N.js";import"./chunk-SXFCSH55.js";
import{SCOPE_NAME,TollgateError,external_exports,isPlatformId,isScopeName,parseSha}from"./chunk-AX2I6GI4.js";import"./chunk-WI3PHZFH.js";
import{__commonJS,__require,__toESM}from"./chunk-MEAQO6XE.js";var require_types=__commonJS({"node_modules/cron-parser/dist/fields/types.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true})}});var require_CronField=__commonJS({"node_modules/cron-parser/dist/fields/CronField.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.CronField=void 0;var CronField=class _CronField{#hasLastChar=false;#hasQuestionMarkChar=false;#wildcard=false;#values=[];options={
rawValue:""};static get min(){throw new Error("min must be overridden")}static get max(){throw new Error("max must be ov\
erridden")}static get chars(){return Object.freeze([])}static isValidChar(value){return this.chars.includes(value)}static get validChars(){
return/^[?,*\dH/-]+$|^.*H\(\d+-\d+\)\/\d+.*$|^.*H\(\d+-\d+\).*$|^.*H\/\d+.*$/}static get constraints(){return{min:this.min,
max:this.max,chars:this.chars,validChars:this.validChars}}constructor(values,options={rawValue:""}){if(!Array.isArray(values)){
throw new Error(`${this.constructor.name} Validation error, values is not an array`)}if(!(values.length>0)){throw new Error(
`${this.constructor.name} Validation error, values contains no values`)}this.options={...options,rawValue:options.rawValue??
""};this.#values=[...values].sort(_CronField.sorter);this.#wildcard=this.options.wildcard!==void 0?this.options.wildcard:
this.#isWildcardValue();this.#hasLastChar=this.options.rawValue.includes("L")||values.includes("L");this.#hasQuestionMarkChar=
this.options.rawValue.includes("?")||values.includes("?")}get min(){return this.constructor.min}get max(){return this.constructor.
max}get chars(){return this.constructor.chars}get hasLastChar(){return this.#hasLastChar}get hasQuestionMarkChar(){return this.#hasQuestionMarkChar}get isWildcard(){
return this.#wildcard}get values(){return this.#values}static sorter(a2,b2){const aIsNumber=typeof a2==="number";const bIsNumber=typeof b2===
"number";if(aIsNumber&&bIsNumber)return a2-b2;if(!aIsNumber&&!bIsNumber)return a2.localeCompare(b2);return aIsNumber?-1:
1}static findNearestValueInList(values,currentValue,reverse){if(reverse){for(let i2=values.length-1;i2>=0;i2--){if(values[i2]<
currentValue)return values[i2]}return null}for(let i2=0;i2<values.length;i2++){if(values[i2]>currentValue)return values[i2]}
return null}findNearestValue(currentValue,reverse){return this.constructor.findNearestValueInList(this.values,currentValue,
reverse)}serialize(){return{wildcard:this.#wildcard,values:this.#values}}validate(){let badValue;const charsString=this.
chars.length>0?` or chars ${this.chars.join("")}`:"";const field=this.constructor;const rangeTest=value=>{badValue=value;
return typeof value==="number"?value>=this.min&&value<=this.max:field.isValidChar(value)};const isValidRange=this.#values.
every(rangeTest);if(!isValidRange){throw new Error(`${this.constructor.name} Validation error, got value ${badValue} exp\
ected range ${this.min}-${this.max}${charsString}`)}const duplicate=this.#values.find((value,index)=>this.#values.indexOf(
value)!==index);if(duplicate!==void 0){throw new Error(`${this.constructor.name} Validation error, duplicate values foun\
d: ${duplicate}`)}}#isWildcardValue(){if(this.options.rawValue.length>0){return["*","?"].includes(this.options.rawValue)}
return Array.from({length:this.max-this.min+1},(_2,i2)=>i2+this.min).every(value=>this.#values.includes(value))}};exports.
CronField=CronField}});var require_luxon=__commonJS({"node_modules/luxon/build/node/luxon.js"(exports){"use strict";Object.defineProperty(exports,
"__esModule",{value:true});var LuxonError=class extends Error{};var InvalidDateTimeError=class extends LuxonError{constructor(reason){
super(`Invalid DateTime: ${reason.toMessage()}`)}};var InvalidIntervalError=class extends LuxonError{constructor(reason){
super(`Invalid Interval: ${reason.toMessage()}`)}};var InvalidDurationError=class extends LuxonError{constructor(reason){
super(`Invalid Duration: ${reason.toMessage()}`)}};var ConflictingSpecificationError=class extends LuxonError{};var InvalidUnitError=class extends LuxonError{constructor(unit){
super(`Invalid unit ${unit}`)}};var InvalidArgumentError=class extends LuxonError{};var ZoneIsAbstractError=class extends LuxonError{constructor(){
super("Zone is an abstract class")}};var n2="numeric";var s2="short";var l2="long";var DATE_SHORT={year:n2,month:n2,day:n2};
var DATE_MED={year:n2,month:s2,day:n2};var DATE_MED_WITH_WEEKDAY={year:n2,month:s2,day:n2,weekday:s2};var DATE_FULL={year:n2,
month:l2,day:n2};var DATE_HUGE={year:n2,month:l2,day:n2,weekday:l2};var TIME_SIMPLE={hour:n2,minute:n2};var TIME_WITH_SECONDS={
hour:n2,minute:n2,second:n2};var TIME_WITH_SHORT_OFFSET={hour:n2,minute:n2,second:n2,timeZoneName:s2};var TIME_WITH_LONG_OFFSET={
hour:n2,minute:n2,second:n2,timeZoneName:l2};var TIME_24_SIMPLE={hour:n2,minute:n2,hourCycle:"h23"};var TIME_24_WITH_SECONDS={
hour:n2,minute:n2,second:n2,hourCycle:"h23"};var TIME_24_WITH_SHORT_OFFSET={hour:n2,minute:n2,second:n2,hourCycle:"h23",
timeZoneName:s2};var TIME_24_WITH_LONG_OFFSET={hour:n2,minute:n2,second:n2,hourCycle:"h23",timeZoneName:l2};var DATETIME_SHORT={
year:n2,month:n2,day:n2,hour:n2,minute:n2};var DATETIME_SHORT_WITH_SECONDS={year:n2,month:n2,day:n2,hour:n2,minute:n2,second:n2};
var DATETIME_MED={year:n2,month:s2,day:n2,hour:n2,minute:n2};var DATETIME_MED_WITH_SECONDS={year:n2,month:s2,day:n2,hour:n2,
minute:n2,second:n2};var DATETIME_MED_WITH_WEEKDAY={year:n2,month:s2,day:n2,weekday:s2,hour:n2,minute:n2};var DATETIME_FULL={
year:n2,month:l2,day:n2,hour:n2,minute:n2,timeZoneName:s2};var DATETIME_FULL_WITH_SECONDS={year:n2,month:l2,day:n2,hour:n2,
minute:n2,second:n2,timeZoneName:s2};var DATETIME_HUGE={year:n2,month:l2,day:n2,weekday:l2,hour:n2,minute:n2,timeZoneName:l2};
var DATETIME_HUGE_WITH_SECONDS={year:n2,month:l2,day:n2,weekday:l2,hour:n2,minute:n2,second:n2,timeZoneName:l2};var Zone=class{get type(){
throw new ZoneIsAbstractError}get name(){throw new ZoneIsAbstractError}get ianaName(){return this.name}get isUniversal(){
throw new ZoneIsAbstractError}offsetName(ts2,opts){throw new ZoneIsAbstractError}formatOffset(ts2,format){throw new ZoneIsAbstractError}offset(ts2){
throw new ZoneIsAbstractError}equals(otherZone){throw new ZoneIsAbstractError}get isValid(){throw new ZoneIsAbstractError}};
var singleton$1=null;var SystemZone=class _SystemZone extends Zone{static get instance(){if(singleton$1===null){singleton$1=
new _SystemZone}return singleton$1}get type(){return"system"}get name(){return new Intl.DateTimeFormat().resolvedOptions().
timeZone}get isUniversal(){return false}offsetName(ts2,{format,locale}){return parseZoneInfo(ts2,format,locale)}formatOffset(ts2,format){
return formatOffset(this.offset(ts2),format)}offset(ts2){return-new Date(ts2).getTimezoneOffset()}equals(otherZone){return otherZone.
type==="system"}get isValid(){return true}};var dtfCache=new Map;function makeDTF(zoneName){let dtf=dtfCache.get(zoneName);
if(dtf===void 0){dtf=new Intl.DateTimeFormat("en-US",{hour12:false,timeZone:zoneName,year:"numeric",month:"2-digit",day:"\
2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",era:"short"});dtfCache.set(zoneName,dtf)}return dtf}var typeToPos={
year:0,month:1,day:2,era:3,hour:4,minute:5,second:6};function hackyOffset(dtf,date){const formatted=dtf.format(date).replace(
/\u200E/g,""),parsed=/(\d+)\/(\d+)\/(\d+) (AD|BC),? (\d+):(\d+):(\d+)/.exec(formatted),[,fMonth,fDay,fYear,fadOrBc,fHour,
fMinute,fSecond]=parsed;return[fYear,fMonth,fDay,fadOrBc,fHour,fMinute,fSecond]}function partsOffset(dtf,date){const formatted=dtf.
formatToParts(date);const filled=[];for(let i2=0;i2<formatted.length;i2++){const{type,value}=formatted[i2];const pos=typeToPos[type];
if(type==="era"){filled[pos]=value}else if(!isUndefined(pos)){filled[pos]=parseInt(value,10)}}return filled}var ianaZoneCache=new Map;
var IANAZone=class _IANAZone extends Zone{static create(name){let zone=ianaZoneCache.get(name);if(zone===void 0){ianaZoneCache.
set(name,zone=new _IANAZone(name))}return zone}static resetCache(){ianaZoneCache.clear();dtfCache.clear()}static isValidSpecifier(s3){
return this.isValidZone(s3)}static isValidZone(zone){if(!zone){return false}try{new Intl.DateTimeFormat("en-US",{timeZone:zone}).
format();return true}catch(e3){return false}}constructor(name){super();this.zoneName=name;this.valid=_IANAZone.isValidZone(
name)}get type(){return"iana"}get name(){return this.zoneName}get isUniversal(){return false}offsetName(ts2,{format,locale}){
return parseZoneInfo(ts2,format,locale,this.name)}formatOffset(ts2,format){return formatOffset(this.offset(ts2),format)}offset(ts2){
if(!this.valid)return NaN;const date=new Date(ts2);if(isNaN(date))return NaN;const dtf=makeDTF(this.name);let[year,month,
day,adOrBc,hour,minute,second]=dtf.formatToParts?partsOffset(dtf,date):hackyOffset(dtf,date);if(adOrBc==="BC"){year=-Math.
abs(year)+1}const adjustedHour=hour===24?0:hour;const asUTC=objToLocalTS({year,month,day,hour:adjustedHour,minute,second,
millisecond:0});let asTS=+date;const over=asTS%1e3;asTS-=over>=0?over:1e3+over;return(asUTC-asTS)/(60*1e3)}equals(otherZone){
return otherZone.type==="iana"&&otherZone.name===this.name}get isValid(){return this.valid}};var intlLFCache={};function getCachedLF(locString,opts={}){
const key=JSON.stringify([locString,opts]);let dtf=intlLFCache[key];if(!dtf){dtf=new Intl.ListFormat(locString,opts);intlLFCache[key]=
dtf}return dtf}var intlDTCache=new Map;function getCachedDTF(locString,opts={}){const key=JSON.stringify([locString,opts]);
let dtf=intlDTCache.get(key);if(dtf===void 0){dtf=new Intl.DateTimeFormat(locString,opts);intlDTCache.set(key,dtf)}return dtf}
var intlNumCache=new Map;function getCachedINF(locString,opts={}){const key=JSON.stringify([locString,opts]);let inf=intlNumCache.
get(key);if(inf===void 0){inf=new Intl.NumberFormat(locString,opts);intlNumCache.set(key,inf)}return inf}var intlRelCache=new Map;
function getCachedRTF(locString,opts={}){const{base,...cacheKeyOpts}=opts;const key=JSON.stringify([locString,cacheKeyOpts]);
let inf=intlRelCache.get(key);if(inf===void 0){inf=new Intl.RelativeTimeFormat(locString,opts);intlRelCache.set(key,inf)}
return inf}var sysLocaleCache=null;function systemLocale(){if(sysLocaleCache){return sysLocaleCache}else{sysLocaleCache=
new Intl.DateTimeFormat().resolvedOptions().locale;return sysLocaleCache}}var intlResolvedOptionsCache=new Map;function getCachedIntResolvedOptions(locString){
let opts=intlResolvedOptionsCache.get(locString);if(opts===void 0){opts=new Intl.DateTimeFormat(locString).resolvedOptions();
intlResolvedOptionsCache.set(locString,opts)}return opts}var weekInfoCache=new Map;function getCachedWeekInfo(locString){
let data=weekInfoCache.get(locString);if(!data){const locale=new Intl.Locale(locString);data="getWeekInfo"in locale?locale.
getWeekInfo():locale.weekInfo;if(!("minimalDays"in data)){data={...fallbackWeekSettings,...data}}weekInfoCache.set(locString,
data)}return data}function parseLocaleString(localeStr){const xIndex=localeStr.indexOf("-x-");if(xIndex!==-1){localeStr=
localeStr.substring(0,xIndex)}const uIndex=localeStr.indexOf("-u-");if(uIndex===-1){return[localeStr]}else{let options;let selectedStr;
try{options=getCachedDTF(localeStr).resolvedOptions();selectedStr=localeStr}catch(e3){const smaller=localeStr.substring(
0,uIndex);options=getCachedDTF(smaller).resolvedOptions();selectedStr=smaller}const{numberingSystem,calendar}=options;return[
selectedStr,numberingSystem,calendar]}}function intlConfigString(localeStr,numberingSystem,outputCalendar){if(outputCalendar||
numberingSystem){if(!localeStr.includes("-u-")){localeStr+="-u"}if(outputCalendar){localeStr+=`-ca-${outputCalendar}`}if(numberingSystem){
localeStr+=`-nu-${numberingSystem}`}return localeStr}else{return localeStr}}function mapMonths(f2){const ms2=[];for(let i2=1;i2<=
12;i2++){const dt2=DateTime.utc(2009,i2,1);ms2.push(f2(dt2))}return ms2}function mapWeekdays(f2){const ms2=[];for(let i2=1;i2<=
7;i2++){const dt2=DateTime.utc(2016,11,13+i2);ms2.push(f2(dt2))}return ms2}function listStuff(loc,length,englishFn,intlFn){
const mode=loc.listingMode();if(mode==="error"){return null}else if(mode==="en"){return englishFn(length)}else{return intlFn(
length)}}function supportsFastNumbers(loc){if(loc.numberingSystem&&loc.numberingSystem!=="latn"){return false}else{return loc.
numberingSystem==="latn"||!loc.locale||loc.locale.startsWith("en")||getCachedIntResolvedOptions(loc.locale).numberingSystem===
"latn"}}var PolyNumberFormatter=class{constructor(intl,forceSimple,opts){this.padTo=opts.padTo||0;this.floor=opts.floor||
false;const{padTo,floor,...otherOpts}=opts;if(!forceSimple||Object.keys(otherOpts).length>0){const intlOpts={useGrouping:false,
...opts};if(opts.padTo>0)intlOpts.minimumIntegerDigits=opts.padTo;this.inf=getCachedINF(intl,intlOpts)}}format(i2){if(this.
inf){const fixed=this.floor?Math.floor(i2):i2;return this.inf.format(fixed)}else{const fixed=this.floor?Math.floor(i2):roundTo(
i2,3);return padStart(fixed,this.padTo)}}};var PolyDateFormatter=class{constructor(dt2,intl,opts){this.opts=opts;this.originalZone=
void 0;let z2=void 0;if(this.opts.timeZone){this.dt=dt2}else if(dt2.zone.type==="fixed"){const gmtOffset=-1*(dt2.offset/
60);const offsetZ=gmtOffset>=0?`Etc/GMT+${gmtOffset}`:`Etc/GMT${gmtOffset}`;if(dt2.offset!==0&&IANAZone.create(offsetZ).
valid){z2=offsetZ;this.dt=dt2}else{z2="UTC";this.dt=dt2.offset===0?dt2:dt2.setZone("UTC").plus({minutes:dt2.offset});this.
originalZone=dt2.zone}}else if(dt2.zone.type==="system"){this.dt=dt2}else if(dt2.zone.type==="iana"){this.dt=dt2;z2=dt2.
zone.name}else{z2="UTC";this.dt=dt2.setZone("UTC").plus({minutes:dt2.offset});this.originalZone=dt2.zone}const intlOpts={
...this.opts};intlOpts.timeZone=intlOpts.timeZone||z2;this.dtf=getCachedDTF(intl,intlOpts)}format(){if(this.originalZone){
return this.formatToParts().map(({value})=>value).join("")}return this.dtf.format(this.dt.toJSDate())}formatToParts(){const parts=this.
dtf.formatToParts(this.dt.toJSDate());if(this.originalZone){return parts.map(part=>{if(part.type==="timeZoneName"){const offsetName=this.
originalZone.offsetName(this.dt.ts,{locale:this.dt.locale,format:this.opts.timeZoneName});return{...part,value:offsetName}}else{
return part}})}return parts}resolvedOptions(){return this.dtf.resolvedOptions()}};var PolyRelFormatter=class{constructor(intl,isEnglish,opts){
this.opts={style:"long",...opts};if(!isEnglish&&hasRelative()){this.rtf=getCachedRTF(intl,opts)}}format(count,unit){if(this.
rtf){return this.rtf.format(count,unit)}else{return formatRelativeTime(unit,count,this.opts.numeric,this.opts.style!=="l\
ong")}}formatToParts(count,unit){if(this.rtf){return this.rtf.formatToParts(count,unit)}else{return[]}}};var fallbackWeekSettings={
firstDay:1,minimalDays:4,weekend:[6,7]};var Locale=class _Locale{static fromOpts(opts){return _Locale.create(opts.locale,
opts.numberingSystem,opts.outputCalendar,opts.weekSettings,opts.defaultToEN)}static create(locale,numberingSystem,outputCalendar,weekSettings,defaultToEN=false){
const specifiedLocale=locale||Settings.defaultLocale;const localeR=specifiedLocale||(defaultToEN?"en-US":systemLocale());
const numberingSystemR=numberingSystem||Settings.defaultNumberingSystem;const outputCalendarR=outputCalendar||Settings.defaultOutputCalendar;
const weekSettingsR=validateWeekSettings(weekSettings)||Settings.defaultWeekSettings;return new _Locale(localeR,numberingSystemR,
outputCalendarR,weekSettingsR,specifiedLocale)}static resetCache(){sysLocaleCache=null;intlDTCache.clear();intlNumCache.
clear();intlRelCache.clear();intlResolvedOptionsCache.clear();weekInfoCache.clear()}static fromObject({locale,numberingSystem,
outputCalendar,weekSettings}={}){return _Locale.create(locale,numberingSystem,outputCalendar,weekSettings)}constructor(locale,numbering,outputCalendar,weekSettings,specifiedLocale){
const[parsedLocale,parsedNumberingSystem,parsedOutputCalendar]=parseLocaleString(locale);this.locale=parsedLocale;this.numberingSystem=
numbering||parsedNumberingSystem||null;this.outputCalendar=outputCalendar||parsedOutputCalendar||null;this.weekSettings=
weekSettings;this.intl=intlConfigString(this.locale,this.numberingSystem,this.outputCalendar);this.weekdaysCache={format:{},
standalone:{}};this.monthsCache={format:{},standalone:{}};this.meridiemCache=null;this.eraCache={};this.specifiedLocale=
specifiedLocale;this.fastNumbersCached=null}get fastNumbers(){if(this.fastNumbersCached==null){this.fastNumbersCached=supportsFastNumbers(
this)}return this.fastNumbersCached}listingMode(){const isActuallyEn=this.isEnglish();const hasNoWeirdness=(this.numberingSystem===
null||this.numberingSystem==="latn")&&(this.outputCalendar===null||this.outputCalendar==="gregory");return isActuallyEn&&
hasNoWeirdness?"en":"intl"}clone(alts){if(!alts||Object.getOwnPropertyNames(alts).length===0){return this}else{return _Locale.
create(alts.locale||this.specifiedLocale,alts.numberingSystem||this.numberingSystem,alts.outputCalendar||this.outputCalendar,
validateWeekSettings(alts.weekSettings)||this.weekSettings,alts.defaultToEN||false)}}redefaultToEN(alts={}){return this.
clone({...alts,defaultToEN:true})}redefaultToSystem(alts={}){return this.clone({...alts,defaultToEN:false})}months(length,format=false){
return listStuff(this,length,months,()=>{const monthSpecialCase=this.intl==="ja"||this.intl.startsWith("ja-");format&=!monthSpecialCase;
const intl=format?{month:length,day:"numeric"}:{month:length},formatStr=format?"format":"standalone";if(!this.monthsCache[formatStr][length]){
const mapper=!monthSpecialCase?dt2=>this.extract(dt2,intl,"month"):dt2=>this.dtFormatter(dt2,intl).format();this.monthsCache[formatStr][length]=
mapMonths(mapper)}return this.monthsCache[formatStr][length]})}weekdays(length,format=false){return listStuff(this,length,
weekdays,()=>{const intl=format?{weekday:length,year:"numeric",month:"long",day:"numeric"}:{weekday:length},formatStr=format?
"format":"standalone";if(!this.weekdaysCache[formatStr][length]){this.weekdaysCache[formatStr][length]=mapWeekdays(dt2=>this.
extract(dt2,intl,"weekday"))}return this.weekdaysCache[formatStr][length]})}meridiems(){return listStuff(this,void 0,()=>meridiems,
()=>{if(!this.meridiemCache){const intl={hour:"numeric",hourCycle:"h12"};this.meridiemCache=[DateTime.utc(2016,11,13,9),
DateTime.utc(2016,11,13,19)].map(dt2=>this.extract(dt2,intl,"dayperiod"))}return this.meridiemCache})}eras(length){return listStuff(
this,length,eras,()=>{const intl={era:length};if(!this.eraCache[length]){this.eraCache[length]=[DateTime.utc(-40,1,1),DateTime.
utc(2017,1,1)].map(dt2=>this.extract(dt2,intl,"era"))}return this.eraCache[length]})}extract(dt2,intlOpts,field){const df2=this.
dtFormatter(dt2,intlOpts),results=df2.formatToParts(),matching=results.find(m2=>m2.type.toLowerCase()===field);return matching?
matching.value:null}numberFormatter(opts={}){return new PolyNumberFormatter(this.intl,opts.forceSimple||this.fastNumbers,
opts)}dtFormatter(dt2,intlOpts={}){return new PolyDateFormatter(dt2,this.intl,intlOpts)}relFormatter(opts={}){return new PolyRelFormatter(
this.intl,this.isEnglish(),opts)}listFormatter(opts={}){return getCachedLF(this.intl,opts)}isEnglish(){return this.locale===
"en"||this.locale.toLowerCase()==="en-us"||getCachedIntResolvedOptions(this.intl).locale.startsWith("en-us")}getWeekSettings(){
if(this.weekSettings){return this.weekSettings}else if(!hasLocaleWeekInfo()){return fallbackWeekSettings}else{return getCachedWeekInfo(
this.locale)}}getStartOfWeek(){return this.getWeekSettings().firstDay}getMinDaysInFirstWeek(){return this.getWeekSettings().
minimalDays}getWeekendDays(){return this.getWeekSettings().weekend}equals(other){return this.locale===other.locale&&this.
numberingSystem===other.numberingSystem&&this.outputCalendar===other.outputCalendar}toString(){return`Locale(${this.locale}\
, ${this.numberingSystem}, ${this.outputCalendar})`}};var singleton=null;var FixedOffsetZone=class _FixedOffsetZone extends Zone{static get utcInstance(){
if(singleton===null){singleton=new _FixedOffsetZone(0)}return singleton}static instance(offset2){return offset2===0?_FixedOffsetZone.
utcInstance:new _FixedOffsetZone(offset2)}static parseSpecifier(s3){if(s3){const r2=s3.match(/^utc(?:([+-]\d{1,2})(?::(\d{2}))?)?$/i);
if(r2){return new _FixedOffsetZone(signedOffset(r2[1],r2[2]))}}return null}constructor(offset2){super();this.fixed=offset2}get type(){
return"fixed"}get name(){return this.fixed===0?"UTC":`UTC${formatOffset(this.fixed,"narrow")}`}get ianaName(){if(this.fixed===
0){return"Etc/UTC"}else{return`Etc/GMT${formatOffset(-this.fixed,"narrow")}`}}offsetName(){return this.name}formatOffset(ts2,format){
return formatOffset(this.fixed,format)}get isUniversal(){return true}offset(){return this.fixed}equals(otherZone){return otherZone.
type==="fixed"&&otherZone.fixed===this.fixed}get isValid(){return true}};var InvalidZone=class extends Zone{constructor(zoneName){
super();this.zoneName=zoneName}get type(){return"invalid"}get name(){return this.zoneName}get isUniversal(){return false}offsetName(){
return null}formatOffset(){return""}offset(){return NaN}equals(){return false}get isValid(){return false}};function normalizeZone(input,defaultZone2){
if(isUndefined(input)||input===null){return defaultZone2}else if(input instanceof Zone){return input}else if(isString(input)){
const lowered=input.toLowerCase();if(lowered==="default")return defaultZone2;else if(lowered==="local"||lowered==="syste\
m")return SystemZone.instance;else if(lowered==="utc"||lowered==="gmt")return FixedOffsetZone.utcInstance;else return FixedOffsetZone.
parseSpecifier(lowered)||IANAZone.create(input)}else if(isNumber(input)){return FixedOffsetZone.instance(input)}else if(typeof input===
"object"&&"offset"in input&&typeof input.offset==="function"){return input}else{return new InvalidZone(input)}}var numberingSystems={
arab:"[\u0660-\u0669]",arabext:"[\u06F0-\u06F9]",bali:"[\u1B50-\u1B59]",beng:"[\u09E6-\u09EF]",deva:"[\u0966-\u096F]",fullwide:"\
[\uFF10-\uFF19]",gujr:"[\u0AE6-\u0AEF]",hanidec:"[\u3007|\u4E00|\u4E8C|\u4E09|\u56DB|\u4E94|\u516D|\u4E03|\u516B|\u4E5D]",
khmr:"[\u17E0-\u17E9]",knda:"[\u0CE6-\u0CEF]",laoo:"[\u0ED0-\u0ED9]",limb:"[\u1946-\u194F]",mlym:"[\u0D66-\u0D6F]",mong:"\
[\u1810-\u1819]",mymr:"[\u1040-\u1049]",orya:"[\u0B66-\u0B6F]",tamldec:"[\u0BE6-\u0BEF]",telu:"[\u0C66-\u0C6F]",thai:"[\u0E50\
-\u0E59]",tibt:"[\u0F20-\u0F29]",latn:"\\d"};var numberingSystemsUTF16={arab:[1632,1641],arabext:[1776,1785],bali:[6992,
7001],beng:[2534,2543],deva:[2406,2415],fullwide:[65296,65303],gujr:[2790,2799],khmr:[6112,6121],knda:[3302,3311],laoo:[
3792,3801],limb:[6470,6479],mlym:[3430,3439],mong:[6160,6169],mymr:[4160,4169],orya:[2918,2927],tamldec:[3046,3055],telu:[
3174,3183],thai:[3664,3673],tibt:[3872,3881]};var hanidecChars=numberingSystems.hanidec.replace(/[\[|\]]/g,"").split("");
function parseDigits(str){let value=parseInt(str,10);if(isNaN(value)){value="";for(let i2=0;i2<str.length;i2++){const code=str.
charCodeAt(i2);if(str[i2].search(numberingSystems.hanidec)!==-1){value+=hanidecChars.indexOf(str[i2])}else{for(const key in numberingSystemsUTF16){
const[min,max]=numberingSystemsUTF16[key];if(code>=min&&code<=max){value+=code-min}}}}return parseInt(value,10)}else{return value}}
var digitRegexCache=new Map;function resetDigitRegexCache(){digitRegexCache.clear()}function digitRegex({numberingSystem},append=""){
const ns2=numberingSystem||"latn";let appendCache=digitRegexCache.get(ns2);if(appendCache===void 0){appendCache=new Map;
digitRegexCache.set(ns2,appendCache)}let regex=appendCache.get(append);if(regex===void 0){regex=new RegExp(`${numberingSystems[ns2]}${append}`);
appendCache.set(append,regex)}return regex}var now=()=>Date.now();var defaultZone="system";var defaultLocale=null;var defaultNumberingSystem=null;
var defaultOutputCalendar=null;var twoDigitCutoffYear=60;var throwOnInvalid;var defaultWeekSettings=null;var Settings=class{static get now(){
return now}static set now(n3){now=n3}static set defaultZone(zone){defaultZone=zone}static get defaultZone(){return normalizeZone(
defaultZone,SystemZone.instance)}static get defaultLocale(){return defaultLocale}static set defaultLocale(locale){defaultLocale=
locale}static get defaultNumberingSystem(){return defaultNumberingSystem}static set defaultNumberingSystem(numberingSystem){
defaultNumberingSystem=numberingSystem}static get defaultOutputCalendar(){return defaultOutputCalendar}static set defaultOutputCalendar(outputCalendar){
defaultOutputCalendar=outputCalendar}static get defaultWeekSettings(){return defaultWeekSettings}static set defaultWeekSettings(weekSettings){
defaultWeekSettings=validateWeekSettings(weekSettings)}static get twoDigitCutoffYear(){return twoDigitCutoffYear}static set twoDigitCutoffYear(cutoffYear){
twoDigitCutoffYear=cutoffYear%100}static get throwOnInvalid(){return throwOnInvalid}static set throwOnInvalid(t2){throwOnInvalid=
t2}static resetCaches(){Locale.resetCache();IANAZone.resetCache();DateTime.resetCache();resetDigitRegexCache()}};var Invalid=class{constructor(reason,explanation){
this.reason=reason;this.explanation=explanation}toMessage(){if(this.explanation){return`${this.reason}: ${this.explanation}`}else{
return this.reason}}};var nonLeapLadder=[0,31,59,90,120,151,181,212,243,273,304,334];var leapLadder=[0,31,60,91,121,152,
182,213,244,274,305,335];function unitOutOfRange(unit,value){return new Invalid("unit out of range",`you specified ${value}\
 (of type ${typeof value}) as a ${unit}, which is invalid`)}function dayOfWeek(year,month,day){const d2=new Date(Date.UTC(
year,month-1,day));if(year<100&&year>=0){d2.setUTCFullYear(d2.getUTCFullYear()-1900)}const js2=d2.getUTCDay();return js2===
0?7:js2}function computeOrdinal(year,month,day){return day+(isLeapYear(year)?leapLadder:nonLeapLadder)[month-1]}function uncomputeOrdinal(year,ordinal){
const table=isLeapYear(year)?leapLadder:nonLeapLadder,month0=table.findIndex(i2=>i2<ordinal),day=ordinal-table[month0];return{
month:month0+1,day}}function isoWeekdayToLocal(isoWeekday,startOfWeek){return(isoWeekday-startOfWeek+7)%7+1}function gregorianToWeek(gregObj,minDaysInFirstWeek=4,startOfWeek=1){
const{year,month,day}=gregObj,ordinal=computeOrdinal(year,month,day),weekday=isoWeekdayToLocal(dayOfWeek(year,month,day),
startOfWeek);let weekNumber=Math.floor((ordinal-weekday+14-minDaysInFirstWeek)/7),weekYear;if(weekNumber<1){weekYear=year-
1;weekNumber=weeksInWeekYear(weekYear,minDaysInFirstWeek,startOfWeek)}else if(weekNumber>weeksInWeekYear(year,minDaysInFirstWeek,
startOfWeek)){weekYear=year+1;weekNumber=1}else{weekYear=year}return{weekYear,weekNumber,weekday,...timeObject(gregObj)}}
function weekToGregorian(weekData,minDaysInFirstWeek=4,startOfWeek=1){const{weekYear,weekNumber,weekday}=weekData,weekdayOfJan4=isoWeekdayToLocal(
dayOfWeek(weekYear,1,minDaysInFirstWeek),startOfWeek),yearInDays=daysInYear(weekYear);let ordinal=weekNumber*7+weekday-weekdayOfJan4-
7+minDaysInFirstWeek,year;if(ordinal<1){year=weekYear-1;ordinal+=daysInYear(year)}else if(ordinal>yearInDays){year=weekYear+
1;ordinal-=daysInYear(weekYear)}else{year=weekYear}const{month,day}=uncomputeOrdinal(year,ordinal);return{year,month,day,
...timeObject(weekData)}}function gregorianToOrdinal(gregData){const{year,month,day}=gregData;const ordinal=computeOrdinal(
year,month,day);return{year,ordinal,...timeObject(gregData)}}function ordinalToGregorian(ordinalData){const{year,ordinal}=ordinalData;
const{month,day}=uncomputeOrdinal(year,ordinal);return{year,month,day,...timeObject(ordinalData)}}function usesLocalWeekValues(obj,loc){
const hasLocaleWeekData=!isUndefined(obj.localWeekday)||!isUndefined(obj.localWeekNumber)||!isUndefined(obj.localWeekYear);
if(hasLocaleWeekData){const hasIsoWeekData=!isUndefined(obj.weekday)||!isUndefined(obj.weekNumber)||!isUndefined(obj.weekYear);
if(hasIsoWeekData){throw new ConflictingSpecificationError("Cannot mix locale-based week fields with ISO-based week fiel\
ds")}if(!isUndefined(obj.localWeekday))obj.weekday=obj.localWeekday;if(!isUndefined(obj.localWeekNumber))obj.weekNumber=
obj.localWeekNumber;if(!isUndefined(obj.localWeekYear))obj.weekYear=obj.localWeekYear;delete obj.localWeekday;delete obj.
localWeekNumber;delete obj.localWeekYear;return{minDaysInFirstWeek:loc.getMinDaysInFirstWeek(),startOfWeek:loc.getStartOfWeek()}}else{
return{minDaysInFirstWeek:4,startOfWeek:1}}}function hasInvalidWeekData(obj,minDaysInFirstWeek=4,startOfWeek=1){const validYear=isInteger(
obj.weekYear),validWeek=integerBetween(obj.weekNumber,1,weeksInWeekYear(obj.weekYear,minDaysInFirstWeek,startOfWeek)),validWeekday=integerBetween(
obj.weekday,1,7);if(!validYear){return unitOutOfRange("weekYear",obj.weekYear)}else if(!validWeek){return unitOutOfRange(
"week",obj.weekNumber)}else if(!validWeekday){return unitOutOfRange("weekday",obj.weekday)}else return false}function hasInvalidOrdinalData(obj){
const validYear=isInteger(obj.year),validOrdinal=integerBetween(obj.ordinal,1,daysInYear(obj.year));if(!validYear){return unitOutOfRange(
"year",obj.year)}else if(!validOrdinal){return unitOutOfRange("ordinal",obj.ordinal)}else return false}function hasInvalidGregorianData(obj){
const validYear=isInteger(obj.year),validMonth=integerBetween(obj.month,1,12),validDay=integerBetween(obj.day,1,daysInMonth(
obj.year,obj.month));if(!validYear){return unitOutOfRange("year",obj.year)}else if(!validMonth){return unitOutOfRange("m\
onth",obj.month)}else if(!validDay){return unitOutOfRange("day",obj.day)}else return false}function hasInvalidTimeData(obj){
const{hour,minute,second,millisecond}=obj;const validHour=integerBetween(hour,0,23)||hour===24&&minute===0&&second===0&&
millisecond===0,validMinute=integerBetween(minute,0,59),validSecond=integerBetween(second,0,59),validMillisecond=integerBetween(
millisecond,0,999);if(!validHour){return unitOutOfRange("hour",hour)}else if(!validMinute){return unitOutOfRange("minute",
minute)}else if(!validSecond){return unitOutOfRange("second",second)}else if(!validMillisecond){return unitOutOfRange("m\
illisecond",millisecond)}else return false}function isUndefined(o2){return typeof o2==="undefined"}function isNumber(o2){
return typeof o2==="number"}function isInteger(o2){return typeof o2==="number"&&o2%1===0}function isString(o2){return typeof o2===
"string"}function isDate(o2){return Object.prototype.toString.call(o2)==="[object Date]"}function hasRelative(){try{return typeof Intl!==
"undefined"&&!!Intl.RelativeTimeFormat}catch(e3){return false}}function hasLocaleWeekInfo(){try{return typeof Intl!=="un\
defined"&&!!Intl.Locale&&("weekInfo"in Intl.Locale.prototype||"getWeekInfo"in Intl.Locale.prototype)}catch(e3){return false}}
function maybeArray(thing){return Array.isArray(thing)?thing:[thing]}function bestBy(arr,by,compare){if(arr.length===0){
return void 0}return arr.reduce((best,next2)=>{const pair=[by(next2),next2];if(!best){return pair}else if(compare(best[0],
pair[0])===best[0]){return best}else{return pair}},null)[1]}function pick(obj,keys){return keys.reduce((a2,k2)=>{a2[k2]=
obj[k2];return a2},{})}function hasOwnProperty(obj,prop){return Object.prototype.hasOwnProperty.call(obj,prop)}function validateWeekSettings(settings){
if(settings==null){return null}else if(typeof settings!=="object"){throw new InvalidArgumentError("Week settings must be\
 an object")}else{if(!integerBetween(settings.firstDay,1,7)||!integerBetween(settings.minimalDays,1,7)||!Array.isArray(settings.
weekend)||settings.weekend.some(v2=>!integerBetween(v2,1,7))){throw new InvalidArgumentError("Invalid week settings")}return{
firstDay:settings.firstDay,minimalDays:settings.minimalDays,weekend:Array.from(settings.weekend)}}}function integerBetween(thing,bottom,top){
return isInteger(thing)&&thing>=bottom&&thing<=top}function floorMod(x2,n3){return x2-n3*Math.floor(x2/n3)}function padStart(input,n3=2){
const isNeg=input<0;let padded;if(isNeg){padded="-"+(""+-input).padStart(n3,"0")}else{padded=(""+input).padStart(n3,"0")}
return padded}function parseInteger(string){if(isUndefined(string)||string===null||string===""){return void 0}else{return parseInt(
string,10)}}function parseFloating(string){if(isUndefined(string)||string===null||string===""){return void 0}else{return parseFloat(
string)}}function parseMillis(fraction){if(isUndefined(fraction)||fraction===null||fraction===""){return void 0}else{const f2=parseFloat(
"0."+fraction)*1e3;return Math.floor(f2)}}function roundTo(number2,digits,rounding="round"){const factor=10**digits;switch(rounding){case"\
expand":return number2>0?Math.ceil(number2*factor)/factor:Math.floor(number2*factor)/factor;case"trunc":return Math.trunc(
number2*factor)/factor;case"round":return Math.round(number2*factor)/factor;case"floor":return Math.floor(number2*factor)/
factor;case"ceil":return Math.ceil(number2*factor)/factor;default:throw new RangeError(`Value rounding ${rounding} is ou\
t of range`)}}function isLeapYear(year){return year%4===0&&(year%100!==0||year%400===0)}function daysInYear(year){return isLeapYear(
year)?366:365}function daysInMonth(year,month){const modMonth=floorMod(month-1,12)+1,modYear=year+(month-modMonth)/12;if(modMonth===
2){return isLeapYear(modYear)?29:28}else{return[31,null,31,30,31,30,31,31,30,31,30,31][modMonth-1]}}function objToLocalTS(obj){
let d2=Date.UTC(obj.year,obj.month-1,obj.day,obj.hour,obj.minute,obj.second,obj.millisecond);if(obj.year<100&&obj.year>=
0){d2=new Date(d2);d2.setUTCFullYear(obj.year,obj.month-1,obj.day)}return+d2}function firstWeekOffset(year,minDaysInFirstWeek,startOfWeek){
const fwdlw=isoWeekdayToLocal(dayOfWeek(year,1,minDaysInFirstWeek),startOfWeek);return-fwdlw+minDaysInFirstWeek-1}function weeksInWeekYear(weekYear,minDaysInFirstWeek=4,startOfWeek=1){
const weekOffset=firstWeekOffset(weekYear,minDaysInFirstWeek,startOfWeek);const weekOffsetNext=firstWeekOffset(weekYear+
1,minDaysInFirstWeek,startOfWeek);return(daysInYear(weekYear)-weekOffset+weekOffsetNext)/7}function untruncateYear(year){
if(year>99){return year}else return year>Settings.twoDigitCutoffYear?1900+year:2e3+year}function parseZoneInfo(ts2,offsetFormat,locale,timeZone=null){
const date=new Date(ts2),intlOpts={hourCycle:"h23",year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2\
-digit"};if(timeZone){intlOpts.timeZone=timeZone}const modified={timeZoneName:offsetFormat,...intlOpts};const parsed=new Intl.
DateTimeFormat(locale,modified).formatToParts(date).find(m2=>m2.type.toLowerCase()==="timezonename");return parsed?parsed.
value:null}function signedOffset(offHourStr,offMinuteStr){let offHour=parseInt(offHourStr,10);if(Number.isNaN(offHour)){
offHour=0}const offMin=parseInt(offMinuteStr,10)||0,offMinSigned=offHour<0||Object.is(offHour,-0)?-offMin:offMin;return offHour*
60+offMinSigned}function asNumber(value){const numericValue=Number(value);if(typeof value==="boolean"||value===""||!Number.
isFinite(numericValue))throw new InvalidArgumentError(`Invalid unit value ${value}`);return numericValue}function normalizeObject(obj,normalizer){
const normalized={};for(const u2 in obj){if(hasOwnProperty(obj,u2)){const v2=obj[u2];if(v2===void 0||v2===null)continue;
normalized[normalizer(u2)]=asNumber(v2)}}return normalized}function formatOffset(offset2,format){const hours=Math.trunc(
Math.abs(offset2/60)),minutes=Math.trunc(Math.abs(offset2%60)),sign=offset2>=0?"+":"-";switch(format){case"short":return`${sign}${padStart(
hours,2)}:${padStart(minutes,2)}`;case"narrow":return`${sign}${hours}${minutes>0?`:${minutes}`:""}`;case"techie":return`${sign}${padStart(
hours,2)}${padStart(minutes,2)}`;default:throw new RangeError(`Value format ${format} is out of range for property forma\
t`)}}function timeObject(obj){return pick(obj,["hour","minute","second","millisecond"])}var monthsLong=["January","Febru\
ary","March","April","May","June","July","August","September","October","November","December"];var monthsShort=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"];var monthsNarrow=["J","F","M","A","M","J","J","A","S","\
O","N","D"];function months(length){switch(length){case"narrow":return[...monthsNarrow];case"short":return[...monthsShort];case"\
long":return[...monthsLong];case"numeric":return["1","2","3","4","5","6","7","8","9","10","11","12"];case"2-digit":return[
"01","02","03","04","05","06","07","08","09","10","11","12"];default:return null}}var weekdaysLong=["Monday","Tuesday","\
Wednesday","Thursday","Friday","Saturday","Sunday"];var weekdaysShort=["Mon","Tue","Wed","Thu","Fri","Sat","Sun"];var weekdaysNarrow=[
"M","T","W","T","F","S","S"];function weekdays(length){switch(length){case"narrow":return[...weekdaysNarrow];case"short":
return[...weekdaysShort];case"long":return[...weekdaysLong];case"numeric":return["1","2","3","4","5","6","7"];default:return null}}
var meridiems=["AM","PM"];var erasLong=["Before Christ","Anno Domini"];var erasShort=["BC","AD"];var erasNarrow=["B","A"];
function eras(length){switch(length){case"narrow":return[...erasNarrow];case"short":return[...erasShort];case"long":return[
...erasLong];default:return null}}function meridiemForDateTime(dt2){return meridiems[dt2.hour<12?0:1]}function weekdayForDateTime(dt2,length){
return weekdays(length)[dt2.weekday-1]}function monthForDateTime(dt2,length){return months(length)[dt2.month-1]}function eraForDateTime(dt2,length){
return eras(length)[dt2.year<0?0:1]}function formatRelativeTime(unit,count,numeric="always",narrow=false){const units={years:[
"year","yr."],quarters:["quarter","qtr."],months:["month","mo."],weeks:["week","wk."],days:["day","day","days"],hours:["\
hour","hr."],minutes:["minute","min."],seconds:["second","sec."]};const lastable=["hours","minutes","seconds"].indexOf(unit)===
-1;if(numeric==="auto"&&lastable){const isDay=unit==="days";switch(count){case 1:return isDay?"tomorrow":`next ${units[unit][0]}`;case-1:
return isDay?"yesterday":`last ${units[unit][0]}`;case 0:return isDay?"today":`this ${units[unit][0]}`}}const isInPast=Object.
is(count,-0)||count<0,fmtValue=Math.abs(count),singular=fmtValue===1,lilUnits=units[unit],fmtUnit=narrow?singular?lilUnits[1]:
lilUnits[2]||lilUnits[1]:singular?units[unit][0]:unit;return isInPast?`${fmtValue} ${fmtUnit} ago`:`in ${fmtValue} ${fmtUnit}`}
function stringifyTokens(splits,tokenToString){let s3="";for(const token of splits){if(token.literal){s3+=token.val}else{
s3+=tokenToString(token.val)}}return s3}var macroTokenToFormatOpts={D:DATE_SHORT,DD:DATE_MED,DDD:DATE_FULL,DDDD:DATE_HUGE,
t:TIME_SIMPLE,tt:TIME_WITH_SECONDS,ttt:TIME_WITH_SHORT_OFFSET,tttt:TIME_WITH_LONG_OFFSET,T:TIME_24_SIMPLE,TT:TIME_24_WITH_SECONDS,
TTT:TIME_24_WITH_SHORT_OFFSET,TTTT:TIME_24_WITH_LONG_OFFSET,f:DATETIME_SHORT,ff:DATETIME_MED,fff:DATETIME_FULL,ffff:DATETIME_HUGE,
F:DATETIME_SHORT_WITH_SECONDS,FF:DATETIME_MED_WITH_SECONDS,FFF:DATETIME_FULL_WITH_SECONDS,FFFF:DATETIME_HUGE_WITH_SECONDS};
var Formatter=class _Formatter{static create(locale,opts={}){return new _Formatter(locale,opts)}static parseFormat(fmt){
let current=null,currentFull="",bracketed=false;const splits=[];for(let i2=0;i2<fmt.length;i2++){const c2=fmt.charAt(i2);
if(c2==="'"){if(currentFull.length>0||bracketed){splits.push({literal:bracketed||/^\s+$/.test(currentFull),val:currentFull===
""?"'":currentFull})}current=null;currentFull="";bracketed=!bracketed}else if(bracketed){currentFull+=c2}else if(c2===current){
currentFull+=c2}else{if(currentFull.length>0){splits.push({literal:/^\s+$/.test(currentFull),val:currentFull})}currentFull=
c2;current=c2}}if(currentFull.length>0){splits.push({literal:bracketed||/^\s+$/.test(currentFull),val:currentFull})}return splits}static macroTokenToFormatOpts(token){
return macroTokenToFormatOpts[token]}constructor(locale,formatOpts){this.opts=formatOpts;this.loc=locale;this.systemLoc=
null}formatWithSystemDefault(dt2,opts){if(this.systemLoc===null){this.systemLoc=this.loc.redefaultToSystem()}const df2=this.
systemLoc.dtFormatter(dt2,{...this.opts,...opts});return df2.format()}dtFormatter(dt2,opts={}){return this.loc.dtFormatter(
dt2,{...this.opts,...opts})}formatDateTime(dt2,opts){return this.dtFormatter(dt2,opts).format()}formatDateTimeParts(dt2,opts){
return this.dtFormatter(dt2,opts).formatToParts()}formatInterval(interval,opts){const df2=this.dtFormatter(interval.start,
opts);return df2.dtf.formatRange(interval.start.toJSDate(),interval.end.toJSDate())}resolvedOptions(dt2,opts){return this.
dtFormatter(dt2,opts).resolvedOptions()}num(n3,p2=0,signDisplay=void 0){if(this.opts.forceSimple){return padStart(n3,p2)}
const opts={...this.opts};if(p2>0){opts.padTo=p2}if(signDisplay){opts.signDisplay=signDisplay}return this.loc.numberFormatter(
opts).format(n3)}formatDateTimeFromString(dt2,fmt){const knownEnglish=this.loc.listingMode()==="en",useDateTimeFormatter=this.
loc.outputCalendar&&this.loc.outputCalendar!=="gregory",string=(opts,extract)=>this.loc.extract(dt2,opts,extract),formatOffset2=opts=>{
if(dt2.isOffsetFixed&&dt2.offset===0&&opts.allowZ){return"Z"}return dt2.isValid?dt2.zone.formatOffset(dt2.ts,opts.format):
""},meridiem=()=>knownEnglish?meridiemForDateTime(dt2):string({hour:"numeric",hourCycle:"h12"},"dayperiod"),month=(length,standalone)=>knownEnglish?
monthForDateTime(dt2,length):string(standalone?{month:length}:{month:length,day:"numeric"},"month"),weekday=(length,standalone)=>knownEnglish?
weekdayForDateTime(dt2,length):string(standalone?{weekday:length}:{weekday:length,month:"long",day:"numeric"},"weekday"),
maybeMacro=token=>{const formatOpts=_Formatter.macroTokenToFormatOpts(token);if(formatOpts){return this.formatWithSystemDefault(
dt2,formatOpts)}else{return token}},era=length=>knownEnglish?eraForDateTime(dt2,length):string({era:length},"era"),tokenToString=token=>{
switch(token){case"S":return this.num(dt2.millisecond);case"u":case"SSS":return this.num(dt2.millisecond,3);case"s":return this.
num(dt2.second);case"ss":return this.num(dt2.second,2);case"uu":return this.num(Math.floor(dt2.millisecond/10),2);case"u\
uu":return this.num(Math.floor(dt2.millisecond/100));case"m":return this.num(dt2.minute);case"mm":return this.num(dt2.minute,
2);case"h":return this.num(dt2.hour%12===0?12:dt2.hour%12);case"hh":return this.num(dt2.hour%12===0?12:dt2.hour%12,2);case"\
H":return this.num(dt2.hour);case"HH":return this.num(dt2.hour,2);case"Z":return formatOffset2({format:"narrow",allowZ:this.
opts.allowZ});case"ZZ":return formatOffset2({format:"short",allowZ:this.opts.allowZ});case"ZZZ":return formatOffset2({format:"\
techie",allowZ:this.opts.allowZ});case"ZZZZ":return dt2.zone.offsetName(dt2.ts,{format:"short",locale:this.loc.locale});case"\
ZZZZZ":return dt2.zone.offsetName(dt2.ts,{format:"long",locale:this.loc.locale});case"z":return dt2.zoneName;case"a":return meridiem();case"\
d":return useDateTimeFormatter?string({day:"numeric"},"day"):this.num(dt2.day);case"dd":return useDateTimeFormatter?string(
{day:"2-digit"},"day"):this.num(dt2.day,2);case"c":return this.num(dt2.weekday);case"ccc":return weekday("short",true);case"\
cccc":return weekday("long",true);case"ccccc":return weekday("narrow",true);case"E":return this.num(dt2.weekday);case"EE\
E":return weekday("short",false);case"EEEE":return weekday("long",false);case"EEEEE":return weekday("narrow",false);case"\
L":return useDateTimeFormatter?string({month:"numeric",day:"numeric"},"month"):this.num(dt2.month);case"LL":return useDateTimeFormatter?
string({month:"2-digit",day:"numeric"},"month"):this.num(dt2.month,2);case"LLL":return month("short",true);case"LLLL":return month(
"long",true);case"LLLLL":return month("narrow",true);case"M":return useDateTimeFormatter?string({month:"numeric"},"month"):
this.num(dt2.month);case"MM":return useDateTimeFormatter?string({month:"2-digit"},"month"):this.num(dt2.month,2);case"MM\
M":return month("short",false);case"MMMM":return month("long",false);case"MMMMM":return month("narrow",false);case"y":return useDateTimeFormatter?
string({year:"numeric"},"year"):this.num(dt2.year);case"yy":return useDateTimeFormatter?string({year:"2-digit"},"year"):
this.num(dt2.year.toString().slice(-2),2);case"yyyy":return useDateTimeFormatter?string({year:"numeric"},"year"):this.num(
dt2.year,4);case"yyyyyy":return useDateTimeFormatter?string({year:"numeric"},"year"):this.num(dt2.year,6);case"G":return era(
"short");case"GG":return era("long");case"GGGGG":return era("narrow");case"kk":return this.num(dt2.weekYear.toString().slice(
-2),2);case"kkkk":return this.num(dt2.weekYear,4);case"W":return this.num(dt2.weekNumber);case"WW":return this.num(dt2.weekNumber,
2);case"n":return this.num(dt2.localWeekNumber);case"nn":return this.num(dt2.localWeekNumber,2);case"ii":return this.num(
dt2.localWeekYear.toString().slice(-2),2);case"iiii":return this.num(dt2.localWeekYear,4);case"o":return this.num(dt2.ordinal);case"\
ooo":return this.num(dt2.ordinal,3);case"q":return this.num(dt2.quarter);case"qq":return this.num(dt2.quarter,2);case"X":
return this.num(Math.floor(dt2.ts/1e3));case"x":return this.num(dt2.ts);default:return maybeMacro(token)}};return stringifyTokens(
_Formatter.parseFormat(fmt),tokenToString)}formatDurationFromString(dur,fmt){const invertLargest=this.opts.signMode==="n\
egativeLargestOnly"?-1:1;const tokenToField=token=>{switch(token[0]){case"S":return"milliseconds";case"s":return"seconds";case"\
m":return"minutes";case"h":return"hours";case"d":return"days";case"w":return"weeks";case"M":return"months";case"y":return"\
years";default:return null}},tokenToString=(lildur,info)=>token=>{const mapped=tokenToField(token);if(mapped){const inversionFactor=info.
isNegativeDuration&&mapped!==info.largestUnit?invertLargest:1;let signDisplay;if(this.opts.signMode==="negativeLargestOn\
ly"&&mapped!==info.largestUnit){signDisplay="never"}else if(this.opts.signMode==="all"){signDisplay="always"}else{signDisplay=
"auto"}return this.num(lildur.get(mapped)*inversionFactor,token.length,signDisplay)}else{return token}},tokens=_Formatter.
parseFormat(fmt),realTokens=tokens.reduce((found,{literal,val})=>literal?found:found.concat(val),[]),collapsed=dur.shiftTo(
...realTokens.map(tokenToField).filter(t2=>t2)),durationInfo={isNegativeDuration:collapsed<0,largestUnit:Object.keys(collapsed.
values)[0]};return stringifyTokens(tokens,tokenToString(collapsed,durationInfo))}};var ianaRegex=/[A-Za-z_+-]{1,256}(?::?\/[A-Za-z0-9_+-]{1,256}(?:\/[A-Za-z0-9_+-]{1,256})?)?/;
function combineRegexes(...regexes){const full=regexes.reduce((f2,r2)=>f2+r2.source,"");return RegExp(`^${full}$`)}function combineExtractors(...extractors){
return m2=>extractors.reduce(([mergedVals,mergedZone,cursor],ex)=>{const[val,zone,next2]=ex(m2,cursor);return[{...mergedVals,
...val},zone||mergedZone,next2]},[{},null,1]).slice(0,2)}function parse(s3,...patterns){if(s3==null){return[null,null]}for(const[
regex,extractor]of patterns){const m2=regex.exec(s3);if(m2){return extractor(m2)}}return[null,null]}function simpleParse(...keys){
return(match2,cursor)=>{const ret={};let i2;for(i2=0;i2<keys.length;i2++){ret[keys[i2]]=parseInteger(match2[cursor+i2])}
return[ret,null,cursor+i2]}}var offsetRegex=/(?:([Zz])|([+-]\d\d)(?::?(\d\d))?)/;var isoExtendedZone=`(?:${offsetRegex.source}\
?(?:\\[(${ianaRegex.source})\\])?)?`;var isoTimeBaseRegex=/(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,30}))?)?)?/;var isoTimeRegex=RegExp(
`${isoTimeBaseRegex.source}${isoExtendedZone}`);var isoTimeExtensionRegex=RegExp(`(?:[Tt]${isoTimeRegex.source})?`);var isoYmdRegex=/([+-]\d{6}|\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?/;
var isoWeekRegex=/(\d{4})-?W(\d\d)(?:-?(\d))?/;var isoOrdinalRegex=/(\d{4})-?(\d{3})/;var extractISOWeekData=simpleParse(
"weekYear","weekNumber","weekDay");var extractISOOrdinalData=simpleParse("year","ordinal");var sqlYmdRegex=/(\d{4})-(\d\d)-(\d\d)/;
var sqlTimeRegex=RegExp(`${isoTimeBaseRegex.source} ?(?:${offsetRegex.source}|(${ianaRegex.source}))?`);var sqlTimeExtensionRegex=RegExp(
`(?: ${sqlTimeRegex.source})?`);function int(match2,pos,fallback){const m2=match2[pos];return isUndefined(m2)?fallback:parseInteger(
m2)}function extractISOYmd(match2,cursor){const item={year:int(match2,cursor),month:int(match2,cursor+1,1),day:int(match2,
cursor+2,1)};return[item,null,cursor+3]}function extractISOTime(match2,cursor){const item={hours:int(match2,cursor,0),minutes:int(
match2,cursor+1,0),seconds:int(match2,cursor+2,0),milliseconds:parseMillis(match2[cursor+3])};return[item,null,cursor+4]}
function extractISOOffset(match2,cursor){const local=!match2[cursor]&&!match2[cursor+1],fullOffset=signedOffset(match2[cursor+
1],match2[cursor+2]),zone=local?null:FixedOffsetZone.instance(fullOffset);return[{},zone,cursor+3]}function extractIANAZone(match2,cursor){
const zone=match2[cursor]?IANAZone.create(match2[cursor]):null;return[{},zone,cursor+1]}var isoTimeOnly=RegExp(`^T?${isoTimeBaseRegex.
source}$`);var isoDuration=/^-?P(?:(?:(-?\d{1,20}(?:\.\d{1,20})?)Y)?(?:(-?\d{1,20}(?:\.\d{1,20})?)M)?(?:(-?\d{1,20}(?:\.\d{1,20})?)W)?(?:(-?\d{1,20}(?:\.\d{1,20})?)D)?(?:T(?:(-?\d{1,20}(?:\.\d{1,20})?)H)?(?:(-?\d{1,20}(?:\.\d{1,20})?)M)?(?:(-?\d{1,20})(?:[.,](-?\d{1,20}))?S)?)?)$/;
function extractISODuration(match2){const[s3,yearStr,monthStr,weekStr,dayStr,hourStr,minuteStr,secondStr,millisecondsStr]=match2;
const hasNegativePrefix=s3[0]==="-";const negativeSeconds=secondStr&&secondStr[0]==="-";const maybeNegate=(num,force=false)=>num!==
void 0&&(force||num&&hasNegativePrefix)?-num:num;return[{years:maybeNegate(parseFloating(yearStr)),months:maybeNegate(parseFloating(
monthStr)),weeks:maybeNegate(parseFloating(weekStr)),days:maybeNegate(parseFloating(dayStr)),hours:maybeNegate(parseFloating(
hourStr)),minutes:maybeNegate(parseFloating(minuteStr)),seconds:maybeNegate(parseFloating(secondStr),secondStr==="-0"),milliseconds:maybeNegate(
parseMillis(millisecondsStr),negativeSeconds)}]}var obsOffsets={GMT:0,EDT:-4*60,EST:-5*60,CDT:-5*60,CST:-6*60,MDT:-6*60,
MST:-7*60,PDT:-7*60,PST:-8*60};function fromStrings(weekdayStr,yearStr,monthStr,dayStr,hourStr,minuteStr,secondStr){const result={
year:yearStr.length===2?untruncateYear(parseInteger(yearStr)):parseInteger(yearStr),month:monthsShort.indexOf(monthStr)+
1,day:parseInteger(dayStr),hour:parseInteger(hourStr),minute:parseInteger(minuteStr)};if(secondStr)result.second=parseInteger(
secondStr);if(weekdayStr){result.weekday=weekdayStr.length>3?weekdaysLong.indexOf(weekdayStr)+1:weekdaysShort.indexOf(weekdayStr)+
1}return result}var rfc2822=/^(?:(Mon|Tue|Wed|Thu|Fri|Sat|Sun),\s)?(\d{1,2})\s(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s(\d{2,4})\s(\d\d):(\d\d)(?::(\d\d))?\s(?:(UT|GMT|[ECMP][SD]T)|([Zz])|(?:([+-]\d\d)(\d\d)))$/;
function extractRFC2822(match2){const[,weekdayStr,dayStr,monthStr,yearStr,hourStr,minuteStr,secondStr,obsOffset,milOffset,
offHourStr,offMinuteStr]=match2,result=fromStrings(weekdayStr,yearStr,monthStr,dayStr,hourStr,minuteStr,secondStr);let offset2;
if(obsOffset){offset2=obsOffsets[obsOffset]}else if(milOffset){offset2=0}else{offset2=signedOffset(offHourStr,offMinuteStr)}
return[result,new FixedOffsetZone(offset2)]}function preprocessRFC2822(s3){return s3.replace(/\([^()]*\)|[\n\t]/g," ").replace(
/(\s\s+)/g," ").trim()}var rfc1123=/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
var rfc850=/^(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday), (\d\d)-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
var ascii=/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ( \d|\d\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;
function extractRFC1123Or850(match2){const[,weekdayStr,dayStr,monthStr,yearStr,hourStr,minuteStr,secondStr]=match2,result=fromStrings(
weekdayStr,yearStr,monthStr,dayStr,hourStr,minuteStr,secondStr);return[result,FixedOffsetZone.utcInstance]}function extractASCII(match2){
const[,weekdayStr,monthStr,dayStr,hourStr,minuteStr,secondStr,yearStr]=match2,result=fromStrings(weekdayStr,yearStr,monthStr,
dayStr,hourStr,minuteStr,secondStr);return[result,FixedOffsetZone.utcInstance]}var isoYmdWithTimeExtensionRegex=combineRegexes(
isoYmdRegex,isoTimeExtensionRegex);var isoWeekWithTimeExtensionRegex=combineRegexes(isoWeekRegex,isoTimeExtensionRegex);
var isoOrdinalWithTimeExtensionRegex=combineRegexes(isoOrdinalRegex,isoTimeExtensionRegex);var isoTimeCombinedRegex=combineRegexes(
isoTimeRegex);var extractISOYmdTimeAndOffset=combineExtractors(extractISOYmd,extractISOTime,extractISOOffset,extractIANAZone);
var extractISOWeekTimeAndOffset=combineExtractors(extractISOWeekData,extractISOTime,extractISOOffset,extractIANAZone);var extractISOOrdinalDateAndTime=combineExtractors(
extractISOOrdinalData,extractISOTime,extractISOOffset,extractIANAZone);var extractISOTimeAndOffset=combineExtractors(extractISOTime,
extractISOOffset,extractIANAZone);function parseISODate(s3){return parse(s3,[isoYmdWithTimeExtensionRegex,extractISOYmdTimeAndOffset],
[isoWeekWithTimeExtensionRegex,extractISOWeekTimeAndOffset],[isoOrdinalWithTimeExtensionRegex,extractISOOrdinalDateAndTime],
[isoTimeCombinedRegex,extractISOTimeAndOffset])}function parseRFC2822Date(s3){return parse(preprocessRFC2822(s3),[rfc2822,
extractRFC2822])}function parseHTTPDate(s3){return parse(s3,[rfc1123,extractRFC1123Or850],[rfc850,extractRFC1123Or850],[
ascii,extractASCII])}function parseISODuration(s3){return parse(s3,[isoDuration,extractISODuration])}var extractISOTimeOnly=combineExtractors(
extractISOTime);function parseISOTimeOnly(s3){return parse(s3,[isoTimeOnly,extractISOTimeOnly])}var sqlYmdWithTimeExtensionRegex=combineRegexes(
sqlYmdRegex,sqlTimeExtensionRegex);var sqlTimeCombinedRegex=combineRegexes(sqlTimeRegex);var extractISOTimeOffsetAndIANAZone=combineExtractors(
extractISOTime,extractISOOffset,extractIANAZone);function parseSQL(s3){return parse(s3,[sqlYmdWithTimeExtensionRegex,extractISOYmdTimeAndOffset],
[sqlTimeCombinedRegex,extractISOTimeOffsetAndIANAZone])}var INVALID$2="Invalid Duration";var lowOrderMatrix={weeks:{days:7,
hours:7*24,minutes:7*24*60,seconds:7*24*60*60,milliseconds:7*24*60*60*1e3},days:{hours:24,minutes:24*60,seconds:24*60*60,
milliseconds:24*60*60*1e3},hours:{minutes:60,seconds:60*60,milliseconds:60*60*1e3},minutes:{seconds:60,milliseconds:60*1e3},
seconds:{milliseconds:1e3}};var casualMatrix={years:{quarters:4,months:12,weeks:52,days:365,hours:365*24,minutes:365*24*
60,seconds:365*24*60*60,milliseconds:365*24*60*60*1e3},quarters:{months:3,weeks:13,days:91,hours:91*24,minutes:91*24*60,
seconds:91*24*60*60,milliseconds:91*24*60*60*1e3},months:{weeks:4,days:30,hours:30*24,minutes:30*24*60,seconds:30*24*60*
60,milliseconds:30*24*60*60*1e3},...lowOrderMatrix};var daysInYearAccurate=146097/400;var daysInMonthAccurate=146097/4800;
var accurateMatrix={years:{quarters:4,months:12,weeks:daysInYearAccurate/7,days:daysInYearAccurate,hours:daysInYearAccurate*
24,minutes:daysInYearAccurate*24*60,seconds:daysInYearAccurate*24*60*60,milliseconds:daysInYearAccurate*24*60*60*1e3},quarters:{
months:3,weeks:daysInYearAccurate/28,days:daysInYearAccurate/4,hours:daysInYearAccurate*24/4,minutes:daysInYearAccurate*
24*60/4,seconds:daysInYearAccurate*24*60*60/4,milliseconds:daysInYearAccurate*24*60*60*1e3/4},months:{weeks:daysInMonthAccurate/
7,days:daysInMonthAccurate,hours:daysInMonthAccurate*24,minutes:daysInMonthAccurate*24*60,seconds:daysInMonthAccurate*24*
60*60,milliseconds:daysInMonthAccurate*24*60*60*1e3},...lowOrderMatrix};var orderedUnits$1=["years","quarters","months",
"weeks","days","hours","minutes","seconds","milliseconds"];var reverseUnits=orderedUnits$1.slice(0).reverse();function clone$1(dur,alts,clear=false){
const conf={values:clear?alts.values:{...dur.values,...alts.values||{}},loc:dur.loc.clone(alts.loc),conversionAccuracy:alts.
conversionAccuracy||dur.conversionAccuracy,matrix:alts.matrix||dur.matrix};return new Duration(conf)}function durationToMillis(matrix,vals){
var _vals$milliseconds;let sum=(_vals$milliseconds=vals.milliseconds)!=null?_vals$milliseconds:0;for(const unit of reverseUnits.
slice(1)){if(vals[unit]){sum+=vals[unit]*matrix[unit]["milliseconds"]}}return sum}function normalizeValues(matrix,vals){
const factor=durationToMillis(matrix,vals)<0?-1:1;orderedUnits$1.reduceRight((previous,current)=>{if(!isUndefined(vals[current])){
if(previous){const previousVal=vals[previous]*factor;const conv=matrix[current][previous];const rollUp=Math.floor(previousVal/
conv);vals[current]+=rollUp*factor;vals[previous]-=rollUp*conv*factor}return current}else{return previous}},null);orderedUnits$1.
reduce((previous,current)=>{if(!isUndefined(vals[current])){if(previous){const fraction=vals[previous]%1;vals[previous]-=
fraction;vals[current]+=fraction*matrix[previous][current]}return current}else{return previous}},null)}function removeZeroes(vals){
const newVals={};for(const[key,value]of Object.entries(vals)){if(value!==0){newVals[key]=value}}return newVals}var Duration=class _Duration{constructor(config){
const accurate=config.conversionAccuracy==="longterm"||false;let matrix=accurate?accurateMatrix:casualMatrix;if(config.matrix){
matrix=config.matrix}this.values=config.values;this.loc=config.loc||Locale.create();this.conversionAccuracy=accurate?"lo\
ngterm":"casual";this.invalid=config.invalid||null;this.matrix=matrix;this.isLuxonDuration=true}static fromMillis(count,opts){
return _Duration.fromObject({milliseconds:count},opts)}static fromObject(obj,opts={}){if(obj==null||typeof obj!=="object"){
throw new InvalidArgumentError(`Duration.fromObject: argument expected to be an object, got ${obj===null?"null":typeof obj}`)}
return new _Duration({values:normalizeObject(obj,_Duration.normalizeUnit),loc:Locale.fromObject(opts),conversionAccuracy:opts.
conversionAccuracy,matrix:opts.matrix})}static fromDurationLike(durationLike){if(isNumber(durationLike)){return _Duration.
fromMillis(durationLike)}else if(_Duration.isDuration(durationLike)){return durationLike}else if(typeof durationLike==="\
object"){return _Duration.fromObject(durationLike)}else{throw new InvalidArgumentError(`Unknown duration argument ${durationLike}\
 of type ${typeof durationLike}`)}}static fromISO(text,opts){const[parsed]=parseISODuration(text);if(parsed){return _Duration.
fromObject(parsed,opts)}else{return _Duration.invalid("unparsable",`the input "${text}" can't be parsed as ISO 8601`)}}static fromISOTime(text,opts){
const[parsed]=parseISOTimeOnly(text);if(parsed){return _Duration.fromObject(parsed,opts)}else{return _Duration.invalid("\
unparsable",`the input "${text}" can't be parsed as ISO 8601`)}}static invalid(reason,explanation=null){if(!reason){throw new InvalidArgumentError(
"need to specify a reason the Duration is invalid")}const invalid=reason instanceof Invalid?reason:new Invalid(reason,explanation);
if(Settings.throwOnInvalid){throw new InvalidDurationError(invalid)}else{return new _Duration({invalid})}}static normalizeUnit(unit){
const normalized={year:"years",years:"years",quarter:"quarters",quarters:"quarters",month:"months",months:"months",week:"\
weeks",weeks:"weeks",day:"days",days:"days",hour:"hours",hours:"hours",minute:"minutes",minutes:"minutes",second:"second\
s",seconds:"seconds",millisecond:"milliseconds",milliseconds:"milliseconds"}[unit?unit.toLowerCase():unit];if(!normalized)
throw new InvalidUnitError(unit);return normalized}static isDuration(o2){return o2&&o2.isLuxonDuration||false}get locale(){
return this.isValid?this.loc.locale:null}get numberingSystem(){return this.isValid?this.loc.numberingSystem:null}toFormat(fmt,opts={}){
const fmtOpts={...opts,floor:opts.round!==false&&opts.floor!==false};return this.isValid?Formatter.create(this.loc,fmtOpts).
formatDurationFromString(this,fmt):INVALID$2}toHuman(opts={}){if(!this.isValid)return INVALID$2;const showZeros=opts.showZeros!==
false;const l3=orderedUnits$1.map(unit=>{const val=this.values[unit];if(isUndefined(val)||val===0&&!showZeros){return null}
return this.loc.numberFormatter({style:"unit",unitDisplay:"long",...opts,unit:unit.slice(0,-1)}).format(val)}).filter(n3=>n3);
return this.loc.listFormatter({type:"conjunction",style:opts.listStyle||"narrow",...opts}).format(l3)}toObject(){if(!this.
isValid)return{};return{...this.values}}toISO(){if(!this.isValid)return null;let s3="P";if(this.years!==0)s3+=this.years+
"Y";if(this.months!==0||this.quarters!==0)s3+=this.months+this.quarters*3+"M";if(this.weeks!==0)s3+=this.weeks+"W";if(this.
days!==0)s3+=this.days+"D";if(this.hours!==0||this.minutes!==0||this.seconds!==0||this.milliseconds!==0)s3+="T";if(this.
hours!==0)s3+=this.hours+"H";if(this.minutes!==0)s3+=this.minutes+"M";if(this.seconds!==0||this.milliseconds!==0)s3+=roundTo(
this.seconds+this.milliseconds/1e3,3)+"S";if(s3==="P")s3+="T0S";return s3}toISOTime(opts={}){if(!this.isValid)return null;
const millis=this.toMillis();if(millis<0||millis>=864e5)return null;opts={suppressMilliseconds:false,suppressSeconds:false,
includePrefix:false,format:"extended",...opts,includeOffset:false};const dateTime=DateTime.fromMillis(millis,{zone:"UTC"});
return dateTime.toISOTime(opts)}toJSON(){return this.toISO()}toString(){return this.toISO()}[Symbol.for("nodejs.util.ins\
pect.custom")](){if(this.isValid){return`Duration { values: ${JSON.stringify(this.values)} }`}else{return`Duration { Inv\
alid, reason: ${this.invalidReason} }`}}toMillis(){if(!this.isValid)return NaN;return durationToMillis(this.matrix,this.
values)}valueOf(){return this.toMillis()}plus(duration){if(!this.isValid)return this;const dur=_Duration.fromDurationLike(
duration),result={};for(const k2 of orderedUnits$1){if(hasOwnProperty(dur.values,k2)||hasOwnProperty(this.values,k2)){result[k2]=
dur.get(k2)+this.get(k2)}}return clone$1(this,{values:result},true)}minus(duration){if(!this.isValid)return this;const dur=_Duration.
fromDurationLike(duration);return this.plus(dur.negate())}mapUnits(fn2){if(!this.isValid)return this;const result={};for(const k2 of Object.
keys(this.values)){result[k2]=asNumber(fn2(this.values[k2],k2))}return clone$1(this,{values:result},true)}get(unit){return this[_Duration.
normalizeUnit(unit)]}set(values){if(!this.isValid)return this;const mixed={...this.values,...normalizeObject(values,_Duration.
normalizeUnit)};return clone$1(this,{values:mixed})}reconfigure({locale,numberingSystem,conversionAccuracy,matrix}={}){const loc=this.
loc.clone({locale,numberingSystem});const opts={loc,matrix,conversionAccuracy};return clone$1(this,opts)}as(unit){return this.
isValid?this.shiftTo(unit).get(unit):NaN}normalize(){if(!this.isValid)return this;const vals=this.toObject();normalizeValues(
this.matrix,vals);return clone$1(this,{values:vals},true)}rescale(){if(!this.isValid)return this;const vals=removeZeroes(
this.normalize().shiftToAll().toObject());return clone$1(this,{values:vals},true)}shiftTo(...units){if(!this.isValid)return this;
if(units.length===0){return this}units=units.map(u2=>_Duration.normalizeUnit(u2));const built={},accumulated={},vals=this.
toObject();let lastUnit;for(const k2 of orderedUnits$1){if(units.indexOf(k2)>=0){lastUnit=k2;let own=0;for(const ak in accumulated){
own+=this.matrix[ak][k2]*accumulated[ak];accumulated[ak]=0}if(isNumber(vals[k2])){own+=vals[k2]}const i2=Math.trunc(own);
built[k2]=i2;accumulated[k2]=(own*1e3-i2*1e3)/1e3}else if(isNumber(vals[k2])){accumulated[k2]=vals[k2]}}for(const key in accumulated){
if(accumulated[key]!==0){built[lastUnit]+=key===lastUnit?accumulated[key]:accumulated[key]/this.matrix[lastUnit][key]}}normalizeValues(
this.matrix,built);return clone$1(this,{values:built},true)}shiftToAll(){if(!this.isValid)return this;return this.shiftTo(
"years","months","weeks","days","hours","minutes","seconds","milliseconds")}negate(){if(!this.isValid)return this;const negated={};
for(const k2 of Object.keys(this.values)){negated[k2]=this.values[k2]===0?0:-this.values[k2]}return clone$1(this,{values:negated},
true)}removeZeros(){if(!this.isValid)return this;const vals=removeZeroes(this.values);return clone$1(this,{values:vals},
true)}get years(){return this.isValid?this.values.years||0:NaN}get quarters(){return this.isValid?this.values.quarters||
0:NaN}get months(){return this.isValid?this.values.months||0:NaN}get weeks(){return this.isValid?this.values.weeks||0:NaN}get days(){
return this.isValid?this.values.days||0:NaN}get hours(){return this.isValid?this.values.hours||0:NaN}get minutes(){return this.
isValid?this.values.minutes||0:NaN}get seconds(){return this.isValid?this.values.seconds||0:NaN}get milliseconds(){return this.
isValid?this.values.milliseconds||0:NaN}get isValid(){return this.invalid===null}get invalidReason(){return this.invalid?
this.invalid.reason:null}get invalidExplanation(){return this.invalid?this.invalid.explanation:null}equals(other){if(!this.
isValid||!other.isValid){return false}if(!this.loc.equals(other.loc)){return false}function eq(v1,v2){if(v1===void 0||v1===
0)return v2===void 0||v2===0;return v1===v2}for(const u2 of orderedUnits$1){if(!eq(this.values[u2],other.values[u2])){return false}}
return true}};var INVALID$1="Invalid Interval";function validateStartEnd(start,end){if(!start||!start.isValid){return Interval.
invalid("missing or invalid start")}else if(!end||!end.isValid){return Interval.invalid("missing or invalid end")}else if(end<
start){return Interval.invalid("end before start",`The end of an interval must be after its start, but you had start=${start.
toISO()} and end=${end.toISO()}`)}else{return null}}var Interval=class _Interval{constructor(config){this.s=config.start;
this.e=config.end;this.invalid=config.invalid||null;this.isLuxonInterval=true}static invalid(reason,explanation=null){if(!reason){
throw new InvalidArgumentError("need to specify a reason the Interval is invalid")}const invalid=reason instanceof Invalid?
reason:new Invalid(reason,explanation);if(Settings.throwOnInvalid){throw new InvalidIntervalError(invalid)}else{return new _Interval(
{invalid})}}static fromDateTimes(start,end){const builtStart=friendlyDateTime(start),builtEnd=friendlyDateTime(end);const validateError=validateStartEnd(
builtStart,builtEnd);if(validateError==null){return new _Interval({start:builtStart,end:builtEnd})}else{return validateError}}static after(start,duration){
const dur=Duration.fromDurationLike(duration),dt2=friendlyDateTime(start);return _Interval.fromDateTimes(dt2,dt2.plus(dur))}static before(end,duration){
const dur=Duration.fromDurationLike(duration),dt2=friendlyDateTime(end);return _Interval.fromDateTimes(dt2.minus(dur),dt2)}static fromISO(text,opts){
const[s3,e3]=(text||"").split("/",2);if(s3&&e3){let start,startIsValid;try{start=DateTime.fromISO(s3,opts);startIsValid=
start.isValid}catch(e4){startIsValid=false}let end,endIsValid;try{end=DateTime.fromISO(e3,opts);endIsValid=end.isValid}catch(e4){
endIsValid=false}if(startIsValid&&endIsValid){return _Interval.fromDateTimes(start,end)}if(startIsValid){const dur=Duration.
fromISO(e3,opts);if(dur.isValid){return _Interval.after(start,dur)}}else if(endIsValid){const dur=Duration.fromISO(s3,opts);
if(dur.isValid){return _Interval.before(end,dur)}}}return _Interval.invalid("unparsable",`the input "${text}" can't be p\
arsed as ISO 8601`)}static isInterval(o2){return o2&&o2.isLuxonInterval||false}get start(){return this.isValid?this.s:null}get end(){
return this.isValid?this.e:null}get lastDateTime(){return this.isValid?this.e?this.e.minus(1):null:null}get isValid(){return this.
invalidReason===null}get invalidReason(){return this.invalid?this.invalid.reason:null}get invalidExplanation(){return this.
invalid?this.invalid.explanation:null}length(unit="milliseconds"){return this.isValid?this.toDuration(...[unit]).get(unit):
NaN}count(unit="milliseconds",opts){if(!this.isValid)return NaN;const start=this.start.startOf(unit,opts);let end;if(opts!=
null&&opts.useLocaleWeeks){end=this.end.reconfigure({locale:start.locale})}else{end=this.end}end=end.startOf(unit,opts);
return Math.floor(end.diff(start,unit).get(unit))+(end.valueOf()!==this.end.valueOf())}hasSame(unit){return this.isValid?
this.isEmpty()||this.e.minus(1).hasSame(this.s,unit):false}isEmpty(){return this.s.valueOf()===this.e.valueOf()}isAfter(dateTime){
if(!this.isValid)return false;return this.s>dateTime}isBefore(dateTime){if(!this.isValid)return false;return this.e<=dateTime}contains(dateTime){
if(!this.isValid)return false;return this.s<=dateTime&&this.e>dateTime}set({start,end}={}){if(!this.isValid)return this;
return _Interval.fromDateTimes(start||this.s,end||this.e)}splitAt(...dateTimes){if(!this.isValid)return[];const sorted=dateTimes.
map(friendlyDateTime).filter(d2=>this.contains(d2)).sort((a2,b2)=>a2.toMillis()-b2.toMillis()),results=[];let{s:s3}=this,
i2=0;while(s3<this.e){const added=sorted[i2]||this.e,next2=+added>+this.e?this.e:added;results.push(_Interval.fromDateTimes(
s3,next2));s3=next2;i2+=1}return results}splitBy(duration){const dur=Duration.fromDurationLike(duration);if(!this.isValid||
!dur.isValid||dur.as("milliseconds")===0){return[]}let{s:s3}=this,idx=1,next2;const results=[];while(s3<this.e){const added=this.
start.plus(dur.mapUnits(x2=>x2*idx));next2=+added>+this.e?this.e:added;results.push(_Interval.fromDateTimes(s3,next2));s3=
next2;idx+=1}return results}divideEqually(numberOfParts){if(!this.isValid)return[];return this.splitBy(this.length()/numberOfParts).
slice(0,numberOfParts)}overlaps(other){return this.e>other.s&&this.s<other.e}abutsStart(other){if(!this.isValid)return false;
return+this.e===+other.s}abutsEnd(other){if(!this.isValid)return false;return+other.e===+this.s}engulfs(other){if(!this.
isValid)return false;return this.s<=other.s&&this.e>=other.e}equals(other){if(!this.isValid||!other.isValid){return false}
return this.s.equals(other.s)&&this.e.equals(other.e)}intersection(other){if(!this.isValid)return this;const s3=this.s>other.
s?this.s:other.s,e3=this.e<other.e?this.e:other.e;if(s3>=e3){return null}else{return _Interval.fromDateTimes(s3,e3)}}union(other){
if(!this.isValid)return this;const s3=this.s<other.s?this.s:other.s,e3=this.e>other.e?this.e:other.e;return _Interval.fromDateTimes(
s3,e3)}static merge(intervals){const[found,final]=intervals.sort((a2,b2)=>a2.s-b2.s).reduce(([sofar,current],item)=>{if(!current){
return[sofar,item]}else if(current.overlaps(item)||current.abutsStart(item)){return[sofar,current.union(item)]}else{return[
sofar.concat([current]),item]}},[[],null]);if(final){found.push(final)}return found}static xor(intervals){let start=null,
currentCount=0;const results=[],ends=intervals.map(i2=>[{time:i2.s,type:"s"},{time:i2.e,type:"e"}]),flattened=Array.prototype.
concat(...ends),arr=flattened.sort((a2,b2)=>a2.time-b2.time);for(const i2 of arr){currentCount+=i2.type==="s"?1:-1;if(currentCount===
1){start=i2.time}else{if(start&&+start!==+i2.time){results.push(_Interval.fromDateTimes(start,i2.time))}start=null}}return _Interval.
merge(results)}difference(...intervals){return _Interval.xor([this].concat(intervals)).map(i2=>this.intersection(i2)).filter(
i2=>i2&&!i2.isEmpty())}toString(){if(!this.isValid)return INVALID$1;return`[${this.s.toISO()} \u2013 ${this.e.toISO()})`}[Symbol.
for("nodejs.util.inspect.custom")](){if(this.isValid){return`Interval { start: ${this.s.toISO()}, end: ${this.e.toISO()}\
 }`}else{return`Interval { Invalid, reason: ${this.invalidReason} }`}}toLocaleString(formatOpts=DATE_SHORT,opts={}){return this.
isValid?Formatter.create(this.s.loc.clone(opts),formatOpts).formatInterval(this):INVALID$1}toISO(opts){if(!this.isValid)
return INVALID$1;return`${this.s.toISO(opts)}/${this.e.toISO(opts)}`}toISODate(){if(!this.isValid)return INVALID$1;return`${this.
s.toISODate()}/${this.e.toISODate()}`}toISOTime(opts){if(!this.isValid)return INVALID$1;return`${this.s.toISOTime(opts)}\
/${this.e.toISOTime(opts)}`}toFormat(dateFormat,{separator=" \u2013 "}={}){if(!this.isValid)return INVALID$1;return`${this.
s.toFormat(dateFormat)}${separator}${this.e.toFormat(dateFormat)}`}toDuration(unit,opts){if(!this.isValid){return Duration.
invalid(this.invalidReason)}return this.e.diff(this.s,unit,opts)}mapEndpoints(mapFn){return _Interval.fromDateTimes(mapFn(
this.s),mapFn(this.e))}};var Info=class{static hasDST(zone=Settings.defaultZone){const proto=DateTime.now().setZone(zone).
set({month:12});return!zone.isUniversal&&proto.offset!==proto.set({month:6}).offset}static isValidIANAZone(zone){return IANAZone.
isValidZone(zone)}static normalizeZone(input){return normalizeZone(input,Settings.defaultZone)}static getStartOfWeek({locale=null,
locObj=null}={}){return(locObj||Locale.create(locale)).getStartOfWeek()}static getMinimumDaysInFirstWeek({locale=null,locObj=null}={}){
return(locObj||Locale.create(locale)).getMinDaysInFirstWeek()}static getWeekendWeekdays({locale=null,locObj=null}={}){return(locObj||
Locale.create(locale)).getWeekendDays().slice()}static months(length="long",{locale=null,numberingSystem=null,locObj=null,
outputCalendar="gregory"}={}){return(locObj||Locale.create(locale,numberingSystem,outputCalendar)).months(length)}static monthsFormat(length="\
long",{locale=null,numberingSystem=null,locObj=null,outputCalendar="gregory"}={}){return(locObj||Locale.create(locale,numberingSystem,
outputCalendar)).months(length,true)}static weekdays(length="long",{locale=null,numberingSystem=null,locObj=null}={}){return(locObj||
Locale.create(locale,numberingSystem,null)).weekdays(length)}static weekdaysFormat(length="long",{locale=null,numberingSystem=null,
locObj=null}={}){return(locObj||Locale.create(locale,numberingSystem,null)).weekdays(length,true)}static meridiems({locale=null}={}){
return Locale.create(locale).meridiems()}static eras(length="short",{locale=null}={}){return Locale.create(locale,null,"\
gregory").eras(length)}static features(){return{relative:hasRelative(),localeWeek:hasLocaleWeekInfo()}}};function dayDiff(earlier,later){
const utcDayStart=dt2=>dt2.toUTC(0,{keepLocalTime:true}).startOf("day").valueOf(),ms2=utcDayStart(later)-utcDayStart(earlier);
return Math.floor(Duration.fromMillis(ms2).as("days"))}function highOrderDiffs(cursor,later,units){const differs=[["year\
s",(a2,b2)=>b2.year-a2.year],["quarters",(a2,b2)=>b2.quarter-a2.quarter+(b2.year-a2.year)*4],["months",(a2,b2)=>b2.month-
a2.month+(b2.year-a2.year)*12],["weeks",(a2,b2)=>{const days=dayDiff(a2,b2);return(days-days%7)/7}],["days",dayDiff]];const results={};
const earlier=cursor;let lowestOrder,highWater;for(const[unit,differ]of differs){if(units.indexOf(unit)>=0){lowestOrder=
unit;results[unit]=differ(cursor,later);highWater=earlier.plus(results);if(highWater>later){results[unit]--;cursor=earlier.
plus(results);if(cursor>later){highWater=cursor;results[unit]--;cursor=earlier.plus(results)}}else{cursor=highWater}}}return[
cursor,results,highWater,lowestOrder]}function diff(earlier,later,units,opts){let[cursor,results,highWater,lowestOrder]=highOrderDiffs(
earlier,later,units);const remainingMillis=later-cursor;const lowerOrderUnits=units.filter(u2=>["hours","minutes","secon\
ds","milliseconds"].indexOf(u2)>=0);if(lowerOrderUnits.length===0){if(highWater<later){highWater=cursor.plus({[lowestOrder]:1})}
if(highWater!==cursor){results[lowestOrder]=(results[lowestOrder]||0)+remainingMillis/(highWater-cursor)}}const duration=Duration.
fromObject(results,opts);if(lowerOrderUnits.length>0){return Duration.fromMillis(remainingMillis,opts).shiftTo(...lowerOrderUnits).
plus(duration)}else{return duration}}var MISSING_FTP="missing Intl.DateTimeFormat.formatToParts support";function intUnit(regex,post=i2=>i2){
return{regex,deser:([s3])=>post(parseDigits(s3))}}var NBSP=String.fromCharCode(160);var spaceOrNBSP=`[ ${NBSP}]`;var spaceOrNBSPRegExp=new RegExp(
spaceOrNBSP,"g");function fixListRegex(s3){return s3.replace(/\./g,"\\.?").replace(spaceOrNBSPRegExp,spaceOrNBSP)}function stripInsensitivities(s3){
return s3.replace(/\./g,"").replace(spaceOrNBSPRegExp," ").toLowerCase()}function oneOf(strings,startIndex){if(strings===
null){return null}else{return{regex:RegExp(strings.map(fixListRegex).join("|")),deser:([s3])=>strings.findIndex(i2=>stripInsensitivities(
s3)===stripInsensitivities(i2))+startIndex}}}function offset(regex,groups){return{regex,deser:([,h2,m2])=>signedOffset(h2,
m2),groups}}function simple(regex){return{regex,deser:([s3])=>s3}}function escapeToken(value){return value.replace(/[\-\[\]{}()*+?.,\\\^$|#\s]/g,
"\\$&")}function unitForToken(token,loc){const one=digitRegex(loc),two=digitRegex(loc,"{2}"),three=digitRegex(loc,"{3}"),
four=digitRegex(loc,"{4}"),six=digitRegex(loc,"{6}"),oneOrTwo=digitRegex(loc,"{1,2}"),oneToThree=digitRegex(loc,"{1,3}"),
oneToSix=digitRegex(loc,"{1,6}"),oneToNine=digitRegex(loc,"{1,9}"),twoToFour=digitRegex(loc,"{2,4}"),fourToSix=digitRegex(
loc,"{4,6}"),literal=t2=>({regex:RegExp(escapeToken(t2.val)),deser:([s3])=>s3,literal:true}),unitate=t2=>{if(token.literal){
return literal(t2)}switch(t2.val){case"G":return oneOf(loc.eras("short"),0);case"GG":return oneOf(loc.eras("long"),0);case"\
y":return intUnit(oneToSix);case"yy":return intUnit(twoToFour,untruncateYear);case"yyyy":return intUnit(four);case"yyyyy":
return intUnit(fourToSix);case"yyyyyy":return intUnit(six);case"M":return intUnit(oneOrTwo);case"MM":return intUnit(two);case"\
MMM":return oneOf(loc.months("short",true),1);case"MMMM":return oneOf(loc.months("long",true),1);case"L":return intUnit(
oneOrTwo);case"LL":return intUnit(two);case"LLL":return oneOf(loc.months("short",false),1);case"LLLL":return oneOf(loc.months(
"long",false),1);case"d":return intUnit(oneOrTwo);case"dd":return intUnit(two);case"o":return intUnit(oneToThree);case"o\
oo":return intUnit(three);case"HH":return intUnit(two);case"H":return intUnit(oneOrTwo);case"hh":return intUnit(two);case"\
h":return intUnit(oneOrTwo);case"mm":return intUnit(two);case"m":return intUnit(oneOrTwo);case"q":return intUnit(oneOrTwo);case"\
qq":return intUnit(two);case"s":return intUnit(oneOrTwo);case"ss":return intUnit(two);case"S":return intUnit(oneToThree);case"\
SSS":return intUnit(three);case"u":return simple(oneToNine);case"uu":return simple(oneOrTwo);case"uuu":return intUnit(one);case"\
a":return oneOf(loc.meridiems(),0);case"kkkk":return intUnit(four);case"kk":return intUnit(twoToFour,untruncateYear);case"\
W":return intUnit(oneOrTwo);case"WW":return intUnit(two);case"E":case"c":return intUnit(one);case"EEE":return oneOf(loc.
weekdays("short",false),1);case"EEEE":return oneOf(loc.weekdays("long",false),1);case"ccc":return oneOf(loc.weekdays("sh\
ort",true),1);case"cccc":return oneOf(loc.weekdays("long",true),1);case"Z":case"ZZ":return offset(new RegExp(`([+-]${oneOrTwo.
source})(?::(${two.source}))?`),2);case"ZZZ":return offset(new RegExp(`([+-]${oneOrTwo.source})(${two.source})?`),2);case"\
z":return simple(/[a-z_+-/]{1,256}?/i);case" ":return simple(/[^\S\n\r]/);default:return literal(t2)}};const unit=unitate(
token)||{invalidReason:MISSING_FTP};unit.token=token;return unit}var partTypeStyleToTokenVal={year:{"2-digit":"yy",numeric:"\
yyyyy"},month:{numeric:"M","2-digit":"MM",short:"MMM",long:"MMMM"},day:{numeric:"d","2-digit":"dd"},weekday:{short:"EEE",
long:"EEEE"},dayperiod:"a",dayPeriod:"a",hour12:{numeric:"h","2-digit":"hh"},hour24:{numeric:"H","2-digit":"HH"},minute:{
numeric:"m","2-digit":"mm"},second:{numeric:"s","2-digit":"ss"},timeZoneName:{long:"ZZZZZ",short:"ZZZ"}};function tokenForPart(part,formatOpts,resolvedOpts){
const{type,value}=part;if(type==="literal"){const isSpace=/^\s+$/.test(value);return{literal:!isSpace,val:isSpace?" ":value}}
const style=formatOpts[type];let actualType=type;if(type==="hour"){if(formatOpts.hour12!=null){actualType=formatOpts.hour12?
"hour12":"hour24"}else if(formatOpts.hourCycle!=null){if(formatOpts.hourCycle==="h11"||formatOpts.hourCycle==="h12"){actualType=
"hour12"}else{actualType="hour24"}}else{actualType=resolvedOpts.hour12?"hour12":"hour24"}}let val=partTypeStyleToTokenVal[actualType];
if(typeof val==="object"){val=val[style]}if(val){return{literal:false,val}}return void 0}function buildRegex(units){const re2=units.
map(u2=>u2.regex).reduce((f2,r2)=>`${f2}(${r2.source})`,"");return[`^${re2}$`,units]}function match(input,regex,handlers){
const matches=input.match(regex);if(matches){const all={};let matchIndex=1;for(const i2 in handlers){if(hasOwnProperty(handlers,
i2)){const h2=handlers[i2],groups=h2.groups?h2.groups+1:1;if(!h2.literal&&h2.token){all[h2.token.val[0]]=h2.deser(matches.
slice(matchIndex,matchIndex+groups))}matchIndex+=groups}}return[matches,all]}else{return[matches,{}]}}function dateTimeFromMatches(matches){
const toField=token=>{switch(token){case"S":return"millisecond";case"s":return"second";case"m":return"minute";case"h":case"\
H":return"hour";case"d":return"day";case"o":return"ordinal";case"L":case"M":return"month";case"y":return"year";case"E":case"\
c":return"weekday";case"W":return"weekNumber";case"k":return"weekYear";case"q":return"quarter";default:return null}};let zone=null;
let specificOffset;if(!isUndefined(matches.z)){zone=IANAZone.create(matches.z)}if(!isUndefined(matches.Z)){if(!zone){zone=
new FixedOffsetZone(matches.Z)}specificOffset=matches.Z}if(!isUndefined(matches.q)){matches.M=(matches.q-1)*3+1}if(!isUndefined(
matches.h)){if(matches.h<12&&matches.a===1){matches.h+=12}else if(matches.h===12&&matches.a===0){matches.h=0}}if(matches.
G===0&&matches.y){matches.y=-matches.y}if(!isUndefined(matches.u)){matches.S=parseMillis(matches.u)}const vals=Object.keys(
matches).reduce((r2,k2)=>{const f2=toField(k2);if(f2){r2[f2]=matches[k2]}return r2},{});return[vals,zone,specificOffset]}
var dummyDateTimeCache=null;function getDummyDateTime(){if(!dummyDateTimeCache){dummyDateTimeCache=DateTime.fromMillis(1555555555555)}
return dummyDateTimeCache}function maybeExpandMacroToken(token,locale){if(token.literal){return token}const formatOpts=Formatter.
macroTokenToFormatOpts(token.val);const tokens=formatOptsToTokens(formatOpts,locale);if(tokens==null||tokens.includes(void 0)){
return token}return tokens}function expandMacroTokens(tokens,locale){return Array.prototype.concat(...tokens.map(t2=>maybeExpandMacroToken(
t2,locale)))}var TokenParser=class{constructor(locale,format){this.locale=locale;this.format=format;this.tokens=expandMacroTokens(
Formatter.parseFormat(format),locale);this.units=this.tokens.map(t2=>unitForToken(t2,locale));this.disqualifyingUnit=this.
units.find(t2=>t2.invalidReason);if(!this.disqualifyingUnit){const[regexString,handlers]=buildRegex(this.units);this.regex=
RegExp(regexString,"i");this.handlers=handlers}}explainFromTokens(input){if(!this.isValid){return{input,tokens:this.tokens,
invalidReason:this.invalidReason}}else{const[rawMatches,matches]=match(input,this.regex,this.handlers),[result,zone,specificOffset]=matches?
dateTimeFromMatches(matches):[null,null,void 0];if(hasOwnProperty(matches,"a")&&hasOwnProperty(matches,"H")){throw new ConflictingSpecificationError(
"Can't include meridiem when specifying 24-hour format")}return{input,tokens:this.tokens,regex:this.regex,rawMatches,matches,
result,zone,specificOffset}}}get isValid(){return!this.disqualifyingUnit}get invalidReason(){return this.disqualifyingUnit?
this.disqualifyingUnit.invalidReason:null}};function explainFromTokens(locale,input,format){const parser=new TokenParser(
locale,format);return parser.explainFromTokens(input)}function parseFromTokens(locale,input,format){const{result,zone,specificOffset,
invalidReason}=explainFromTokens(locale,input,format);return[result,zone,specificOffset,invalidReason]}function formatOptsToTokens(formatOpts,locale){
if(!formatOpts){return null}const formatter=Formatter.create(locale,formatOpts);const df2=formatter.dtFormatter(getDummyDateTime());
const parts=df2.formatToParts();const resolvedOpts=df2.resolvedOptions();return parts.map(p2=>tokenForPart(p2,formatOpts,
resolvedOpts))}var INVALID="Invalid DateTime";var MAX_DATE=864e13;function unsupportedZone(zone){return new Invalid("uns\
upported zone",`the zone "${zone.name}" is not supported`)}function possiblyCachedWeekData(dt2){if(dt2.weekData===null){
dt2.weekData=gregorianToWeek(dt2.c)}return dt2.weekData}function possiblyCachedLocalWeekData(dt2){if(dt2.localWeekData===
null){dt2.localWeekData=gregorianToWeek(dt2.c,dt2.loc.getMinDaysInFirstWeek(),dt2.loc.getStartOfWeek())}return dt2.localWeekData}
function clone(inst,alts){const current={ts:inst.ts,zone:inst.zone,c:inst.c,o:inst.o,loc:inst.loc,invalid:inst.invalid};
return new DateTime({...current,...alts,old:current})}function fixOffset(localTS,o2,tz){let utcGuess=localTS-o2*60*1e3;const o22=tz.
offset(utcGuess);if(o2===o22){return[utcGuess,o2]}utcGuess-=(o22-o2)*60*1e3;const o3=tz.offset(utcGuess);if(o22===o3){return[
utcGuess,o22]}return[localTS-Math.min(o22,o3)*60*1e3,Math.max(o22,o3)]}function tsToObj(ts2,offset2){ts2+=offset2*60*1e3;
const d2=new Date(ts2);return{year:d2.getUTCFullYear(),month:d2.getUTCMonth()+1,day:d2.getUTCDate(),hour:d2.getUTCHours(),
minute:d2.getUTCMinutes(),second:d2.getUTCSeconds(),millisecond:d2.getUTCMilliseconds()}}function objToTS(obj,offset2,zone){
return fixOffset(objToLocalTS(obj),offset2,zone)}function adjustTime(inst,dur){const oPre=inst.o,year=inst.c.year+Math.trunc(
dur.years),month=inst.c.month+Math.trunc(dur.months)+Math.trunc(dur.quarters)*3,c2={...inst.c,year,month,day:Math.min(inst.
c.day,daysInMonth(year,month))+Math.trunc(dur.days)+Math.trunc(dur.weeks)*7},millisToAdd=Duration.fromObject({years:dur.
years-Math.trunc(dur.years),quarters:dur.quarters-Math.trunc(dur.quarters),months:dur.months-Math.trunc(dur.months),weeks:dur.
weeks-Math.trunc(dur.weeks),days:dur.days-Math.trunc(dur.days),hours:dur.hours,minutes:dur.minutes,seconds:dur.seconds,milliseconds:dur.
milliseconds}).as("milliseconds"),localTS=objToLocalTS(c2);let[ts2,o2]=fixOffset(localTS,oPre,inst.zone);if(millisToAdd!==
0){ts2+=millisToAdd;o2=inst.zone.offset(ts2)}return{ts:ts2,o:o2}}function parseDataToDateTime(parsed,parsedZone,opts,format,text,specificOffset){
const{setZone,zone}=opts;if(parsed&&Object.keys(parsed).length!==0||parsedZone){const interpretationZone=parsedZone||zone,
inst=DateTime.fromObject(parsed,{...opts,zone:interpretationZone,specificOffset});return setZone?inst:inst.setZone(zone)}else{
return DateTime.invalid(new Invalid("unparsable",`the input "${text}" can't be parsed as ${format}`))}}function toTechFormat(dt2,format,allowZ=true){
return dt2.isValid?Formatter.create(Locale.create("en-US"),{allowZ,forceSimple:true}).formatDateTimeFromString(dt2,format):
null}function toISODate(o2,extended,precision){const longFormat=o2.c.year>9999||o2.c.year<0;let c2="";if(longFormat&&o2.
c.year>=0)c2+="+";c2+=padStart(o2.c.year,longFormat?6:4);if(precision==="year")return c2;if(extended){c2+="-";c2+=padStart(
o2.c.month);if(precision==="month")return c2;c2+="-"}else{c2+=padStart(o2.c.month);if(precision==="month")return c2}c2+=
padStart(o2.c.day);return c2}function toISOTime(o2,extended,suppressSeconds,suppressMilliseconds,includeOffset,extendedZone,precision){
let showSeconds=!suppressSeconds||o2.c.millisecond!==0||o2.c.second!==0,c2="";switch(precision){case"day":case"month":case"\
year":break;default:c2+=padStart(o2.c.hour);if(precision==="hour")break;if(extended){c2+=":";c2+=padStart(o2.c.minute);if(precision===
"minute")break;if(showSeconds){c2+=":";c2+=padStart(o2.c.second)}}else{c2+=padStart(o2.c.minute);if(precision==="minute")
break;if(showSeconds){c2+=padStart(o2.c.second)}}if(precision==="second")break;if(showSeconds&&(!suppressMilliseconds||o2.
c.millisecond!==0)){c2+=".";c2+=padStart(o2.c.millisecond,3)}}if(includeOffset){if(o2.isOffsetFixed&&o2.offset===0&&!extendedZone){
c2+="Z"}else if(o2.o<0){c2+="-";c2+=padStart(Math.trunc(-o2.o/60));c2+=":";c2+=padStart(Math.trunc(-o2.o%60))}else{c2+="\
+";c2+=padStart(Math.trunc(o2.o/60));c2+=":";c2+=padStart(Math.trunc(o2.o%60))}}if(extendedZone){c2+="["+o2.zone.ianaName+
"]"}return c2}var defaultUnitValues={month:1,day:1,hour:0,minute:0,second:0,millisecond:0};var defaultWeekUnitValues={weekNumber:1,
weekday:1,hour:0,minute:0,second:0,millisecond:0};var defaultOrdinalUnitValues={ordinal:1,hour:0,minute:0,second:0,millisecond:0};
var orderedUnits=["year","month","day","hour","minute","second","millisecond"];var orderedWeekUnits=["weekYear","weekNum\
ber","weekday","hour","minute","second","millisecond"];var orderedOrdinalUnits=["year","ordinal","hour","minute","second",
"millisecond"];function normalizeUnit(unit){const normalized={year:"year",years:"year",month:"month",months:"month",day:"\
day",days:"day",hour:"hour",hours:"hour",minute:"minute",minutes:"minute",quarter:"quarter",quarters:"quarter",second:"s\
econd",seconds:"second",millisecond:"millisecond",milliseconds:"millisecond",weekday:"weekday",weekdays:"weekday",weeknumber:"\
weekNumber",weeksnumber:"weekNumber",weeknumbers:"weekNumber",weekyear:"weekYear",weekyears:"weekYear",ordinal:"ordinal"}[unit.
toLowerCase()];if(!normalized)throw new InvalidUnitError(unit);return normalized}function normalizeUnitWithLocalWeeks(unit){
switch(unit.toLowerCase()){case"localweekday":case"localweekdays":return"localWeekday";case"localweeknumber":case"localw\
eeknumbers":return"localWeekNumber";case"localweekyear":case"localweekyears":return"localWeekYear";default:return normalizeUnit(
unit)}}function guessOffsetForZone(zone){if(zoneOffsetTs===void 0){zoneOffsetTs=Settings.now()}if(zone.type!=="iana"){return zone.
offset(zoneOffsetTs)}const zoneName=zone.name;let offsetGuess=zoneOffsetGuessCache.get(zoneName);if(offsetGuess===void 0){
offsetGuess=zone.offset(zoneOffsetTs);zoneOffsetGuessCache.set(zoneName,offsetGuess)}return offsetGuess}function quickDT(obj,opts){
const zone=normalizeZone(opts.zone,Settings.defaultZone);if(!zone.isValid){return DateTime.invalid(unsupportedZone(zone))}
const loc=Locale.fromObject(opts);let ts2,o2;if(!isUndefined(obj.year)){for(const u2 of orderedUnits){if(isUndefined(obj[u2])){
obj[u2]=defaultUnitValues[u2]}}const invalid=hasInvalidGregorianData(obj)||hasInvalidTimeData(obj);if(invalid){return DateTime.
invalid(invalid)}const offsetProvis=guessOffsetForZone(zone);[ts2,o2]=objToTS(obj,offsetProvis,zone)}else{ts2=Settings.now()}
return new DateTime({ts:ts2,zone,loc,o:o2})}function diffRelative(start,end,opts){const round=isUndefined(opts.round)?true:
opts.round,rounding=isUndefined(opts.rounding)?"trunc":opts.rounding,format=(c2,unit)=>{c2=roundTo(c2,round||opts.calendary?
0:2,opts.calendary?"round":rounding);const formatter=end.loc.clone(opts).relFormatter(opts);return formatter.format(c2,unit)},
differ=unit=>{if(opts.calendary){if(!end.hasSame(start,unit)){return end.startOf(unit).diff(start.startOf(unit),unit).get(
unit)}else return 0}else{return end.diff(start,unit).get(unit)}};if(opts.unit){return format(differ(opts.unit),opts.unit)}
for(const unit of opts.units){const count=differ(unit);if(Math.abs(count)>=1){return format(count,unit)}}return format(start>
end?-0:0,opts.units[opts.units.length-1])}function lastOpts(argList){let opts={},args;if(argList.length>0&&typeof argList[argList.
length-1]==="object"){opts=argList[argList.length-1];args=Array.from(argList).slice(0,argList.length-1)}else{args=Array.
from(argList)}return[opts,args]}var zoneOffsetTs;var zoneOffsetGuessCache=new Map;var DateTime=class _DateTime{constructor(config){
const zone=config.zone||Settings.defaultZone;let invalid=config.invalid||(Number.isNaN(config.ts)?new Invalid("invalid i\
nput"):null)||(!zone.isValid?unsupportedZone(zone):null);this.ts=isUndefined(config.ts)?Settings.now():config.ts;let c2=null,
o2=null;if(!invalid){const unchanged=config.old&&config.old.ts===this.ts&&config.old.zone.equals(zone);if(unchanged){[c2,
o2]=[config.old.c,config.old.o]}else{const ot2=isNumber(config.o)&&!config.old?config.o:zone.offset(this.ts);c2=tsToObj(
this.ts,ot2);invalid=Number.isNaN(c2.year)?new Invalid("invalid input"):null;c2=invalid?null:c2;o2=invalid?null:ot2}}this.
_zone=zone;this.loc=config.loc||Locale.create();this.invalid=invalid;this.weekData=null;this.localWeekData=null;this.c=c2;
this.o=o2;this.isLuxonDateTime=true}static now(){return new _DateTime({})}static local(){const[opts,args]=lastOpts(arguments),
[year,month,day,hour,minute,second,millisecond]=args;return quickDT({year,month,day,hour,minute,second,millisecond},opts)}static utc(){
const[opts,args]=lastOpts(arguments),[year,month,day,hour,minute,second,millisecond]=args;opts.zone=FixedOffsetZone.utcInstance;
return quickDT({year,month,day,hour,minute,second,millisecond},opts)}static fromJSDate(date,options={}){const ts2=isDate(
date)?date.valueOf():NaN;if(Number.isNaN(ts2)){return _DateTime.invalid("invalid input")}const zoneToUse=normalizeZone(options.
zone,Settings.defaultZone);if(!zoneToUse.isValid){return _DateTime.invalid(unsupportedZone(zoneToUse))}return new _DateTime(
{ts:ts2,zone:zoneToUse,loc:Locale.fromObject(options)})}static fromMillis(milliseconds,options={}){if(!isNumber(milliseconds)){
throw new InvalidArgumentError(`fromMillis requires a numerical input, but received a ${typeof milliseconds} with value ${milliseconds}`)}else if(milliseconds<
-MAX_DATE||milliseconds>MAX_DATE){return _DateTime.invalid("Timestamp out of range")}else{return new _DateTime({ts:milliseconds,
zone:normalizeZone(options.zone,Settings.defaultZone),loc:Locale.fromObject(options)})}}static fromSeconds(seconds,options={}){
if(!isNumber(seconds)){throw new InvalidArgumentError("fromSeconds requires a numerical input")}else{return new _DateTime(
{ts:seconds*1e3,zone:normalizeZone(options.zone,Settings.defaultZone),loc:Locale.fromObject(options)})}}static fromObject(obj,opts={}){
obj=obj||{};const zoneToUse=normalizeZone(opts.zone,Settings.defaultZone);if(!zoneToUse.isValid){return _DateTime.invalid(
unsupportedZone(zoneToUse))}const loc=Locale.fromObject(opts);const normalized=normalizeObject(obj,normalizeUnitWithLocalWeeks);
const{minDaysInFirstWeek,startOfWeek}=usesLocalWeekValues(normalized,loc);const tsNow=Settings.now(),offsetProvis=!isUndefined(
opts.specificOffset)?opts.specificOffset:zoneToUse.offset(tsNow),containsOrdinal=!isUndefined(normalized.ordinal),containsGregorYear=!isUndefined(
normalized.year),containsGregorMD=!isUndefined(normalized.month)||!isUndefined(normalized.day),containsGregor=containsGregorYear||
containsGregorMD,definiteWeekDef=normalized.weekYear||normalized.weekNumber;if((containsGregor||containsOrdinal)&&definiteWeekDef){
throw new ConflictingSpecificationError("Can't mix weekYear/weekNumber units with year/month/day or ordinals")}if(containsGregorMD&&
containsOrdinal){throw new ConflictingSpecificationError("Can't mix ordinal dates with month/day")}const useWeekData=definiteWeekDef||
normalized.weekday&&!containsGregor;let units,defaultValues,objNow=tsToObj(tsNow,offsetProvis);if(useWeekData){units=orderedWeekUnits;
defaultValues=defaultWeekUnitValues;objNow=gregorianToWeek(objNow,minDaysInFirstWeek,startOfWeek)}else if(containsOrdinal){
units=orderedOrdinalUnits;defaultValues=defaultOrdinalUnitValues;objNow=gregorianToOrdinal(objNow)}else{units=orderedUnits;
defaultValues=defaultUnitValues}let foundFirst=false;for(const u2 of units){const v2=normalized[u2];if(!isUndefined(v2)){
foundFirst=true}else if(foundFirst){normalized[u2]=defaultValues[u2]}else{normalized[u2]=objNow[u2]}}const higherOrderInvalid=useWeekData?
hasInvalidWeekData(normalized,minDaysInFirstWeek,startOfWeek):containsOrdinal?hasInvalidOrdinalData(normalized):hasInvalidGregorianData(
normalized),invalid=higherOrderInvalid||hasInvalidTimeData(normalized);if(invalid){return _DateTime.invalid(invalid)}const gregorian=useWeekData?
weekToGregorian(normalized,minDaysInFirstWeek,startOfWeek):containsOrdinal?ordinalToGregorian(normalized):normalized,[tsFinal,
offsetFinal]=objToTS(gregorian,offsetProvis,zoneToUse),inst=new _DateTime({ts:tsFinal,zone:zoneToUse,o:offsetFinal,loc});
if(normalized.weekday&&containsGregor&&obj.weekday!==inst.weekday){return _DateTime.invalid("mismatched weekday",`you ca\
n't specify both a weekday of ${normalized.weekday} and a date of ${inst.toISO()}`)}if(!inst.isValid){return _DateTime.invalid(
inst.invalid)}return inst}static fromISO(text,opts={}){const[vals,parsedZone]=parseISODate(text);return parseDataToDateTime(
vals,parsedZone,opts,"ISO 8601",text)}static fromRFC2822(text,opts={}){const[vals,parsedZone]=parseRFC2822Date(text);return parseDataToDateTime(
vals,parsedZone,opts,"RFC 2822",text)}static fromHTTP(text,opts={}){const[vals,parsedZone]=parseHTTPDate(text);return parseDataToDateTime(
vals,parsedZone,opts,"HTTP",opts)}static fromFormat(text,fmt,opts={}){if(isUndefined(text)||isUndefined(fmt)){throw new InvalidArgumentError(
"fromFormat requires an input string and a format")}const{locale=null,numberingSystem=null}=opts,localeToUse=Locale.fromOpts(
{locale,numberingSystem,defaultToEN:true}),[vals,parsedZone,specificOffset,invalid]=parseFromTokens(localeToUse,text,fmt);
if(invalid){return _DateTime.invalid(invalid)}else{return parseDataToDateTime(vals,parsedZone,opts,`format ${fmt}`,text,
specificOffset)}}static fromString(text,fmt,opts={}){return _DateTime.fromFormat(text,fmt,opts)}static fromSQL(text,opts={}){
const[vals,parsedZone]=parseSQL(text);return parseDataToDateTime(vals,parsedZone,opts,"SQL",text)}static invalid(reason,explanation=null){
if(!reason){throw new InvalidArgumentError("need to specify a reason the DateTime is invalid")}const invalid=reason instanceof
Invalid?reason:new Invalid(reason,explanation);if(Settings.throwOnInvalid){throw new InvalidDateTimeError(invalid)}else{
return new _DateTime({invalid})}}static isDateTime(o2){return o2&&o2.isLuxonDateTime||false}static parseFormatForOpts(formatOpts,localeOpts={}){
const tokenList=formatOptsToTokens(formatOpts,Locale.fromObject(localeOpts));return!tokenList?null:tokenList.map(t2=>t2?
t2.val:null).join("")}static expandFormat(fmt,localeOpts={}){const expanded=expandMacroTokens(Formatter.parseFormat(fmt),
Locale.fromObject(localeOpts));return expanded.map(t2=>t2.val).join("")}static resetCache(){zoneOffsetTs=void 0;zoneOffsetGuessCache.
clear()}get(unit){return this[unit]}get isValid(){return this.invalid===null}get invalidReason(){return this.invalid?this.
invalid.reason:null}get invalidExplanation(){return this.invalid?this.invalid.explanation:null}get locale(){return this.
isValid?this.loc.locale:null}get numberingSystem(){return this.isValid?this.loc.numberingSystem:null}get outputCalendar(){
return this.isValid?this.loc.outputCalendar:null}get zone(){return this._zone}get zoneName(){return this.isValid?this.zone.
name:null}get year(){return this.isValid?this.c.year:NaN}get quarter(){return this.isValid?Math.ceil(this.c.month/3):NaN}get month(){
return this.isValid?this.c.month:NaN}get day(){return this.isValid?this.c.day:NaN}get hour(){return this.isValid?this.c.
hour:NaN}get minute(){return this.isValid?this.c.minute:NaN}get second(){return this.isValid?this.c.second:NaN}get millisecond(){
return this.isValid?this.c.millisecond:NaN}get weekYear(){return this.isValid?possiblyCachedWeekData(this).weekYear:NaN}get weekNumber(){
return this.isValid?possiblyCachedWeekData(this).weekNumber:NaN}get weekday(){return this.isValid?possiblyCachedWeekData(
this).weekday:NaN}get isWeekend(){return this.isValid&&this.loc.getWeekendDays().includes(this.weekday)}get localWeekday(){
return this.isValid?possiblyCachedLocalWeekData(this).weekday:NaN}get localWeekNumber(){return this.isValid?possiblyCachedLocalWeekData(
this).weekNumber:NaN}get localWeekYear(){return this.isValid?possiblyCachedLocalWeekData(this).weekYear:NaN}get ordinal(){
return this.isValid?gregorianToOrdinal(this.c).ordinal:NaN}get monthShort(){return this.isValid?Info.months("short",{locObj:this.
loc})[this.month-1]:null}get monthLong(){return this.isValid?Info.months("long",{locObj:this.loc})[this.month-1]:null}get weekdayShort(){
return this.isValid?Info.weekdays("short",{locObj:this.loc})[this.weekday-1]:null}get weekdayLong(){return this.isValid?
Info.weekdays("long",{locObj:this.loc})[this.weekday-1]:null}get offset(){return this.isValid?+this.o:NaN}get offsetNameShort(){
if(this.isValid){return this.zone.offsetName(this.ts,{format:"short",locale:this.locale})}else{return null}}get offsetNameLong(){
if(this.isValid){return this.zone.offsetName(this.ts,{format:"long",locale:this.locale})}else{return null}}get isOffsetFixed(){
return this.isValid?this.zone.isUniversal:null}get isInDST(){if(this.isOffsetFixed){return false}else{return this.offset>
this.set({month:1,day:1}).offset||this.offset>this.set({month:5}).offset}}getPossibleOffsets(){if(!this.isValid||this.isOffsetFixed){
return[this]}const dayMs=864e5;const minuteMs=6e4;const localTS=objToLocalTS(this.c);const oEarlier=this.zone.offset(localTS-
dayMs);const oLater=this.zone.offset(localTS+dayMs);const o1=this.zone.offset(localTS-oEarlier*minuteMs);const o2=this.zone.
offset(localTS-oLater*minuteMs);if(o1===o2){return[this]}const ts1=localTS-o1*minuteMs;const ts2=localTS-o2*minuteMs;const c1=tsToObj(
ts1,o1);const c2=tsToObj(ts2,o2);if(c1.hour===c2.hour&&c1.minute===c2.minute&&c1.second===c2.second&&c1.millisecond===c2.
millisecond){return[clone(this,{ts:ts1}),clone(this,{ts:ts2})]}return[this]}get isInLeapYear(){return isLeapYear(this.year)}get daysInMonth(){
return daysInMonth(this.year,this.month)}get daysInYear(){return this.isValid?daysInYear(this.year):NaN}get weeksInWeekYear(){
return this.isValid?weeksInWeekYear(this.weekYear):NaN}get weeksInLocalWeekYear(){return this.isValid?weeksInWeekYear(this.
localWeekYear,this.loc.getMinDaysInFirstWeek(),this.loc.getStartOfWeek()):NaN}resolvedLocaleOptions(opts={}){const{locale,
numberingSystem,calendar}=Formatter.create(this.loc.clone(opts),opts).resolvedOptions(this);return{locale,numberingSystem,
outputCalendar:calendar}}toUTC(offset2=0,opts={}){return this.setZone(FixedOffsetZone.instance(offset2),opts)}toLocal(){
return this.setZone(Settings.defaultZone)}setZone(zone,{keepLocalTime=false,keepCalendarTime=false}={}){zone=normalizeZone(
zone,Settings.defaultZone);if(zone.equals(this.zone)){return this}else if(!zone.isValid){return _DateTime.invalid(unsupportedZone(
zone))}else{let newTS=this.ts;if(keepLocalTime||keepCalendarTime){const offsetGuess=zone.offset(this.ts);const asObj=this.
toObject();[newTS]=objToTS(asObj,offsetGuess,zone)}return clone(this,{ts:newTS,zone})}}reconfigure({locale,numberingSystem,
outputCalendar}={}){const loc=this.loc.clone({locale,numberingSystem,outputCalendar});return clone(this,{loc})}setLocale(locale){
return this.reconfigure({locale})}set(values){if(!this.isValid)return this;const normalized=normalizeObject(values,normalizeUnitWithLocalWeeks);
const{minDaysInFirstWeek,startOfWeek}=usesLocalWeekValues(normalized,this.loc);const settingWeekStuff=!isUndefined(normalized.
weekYear)||!isUndefined(normalized.weekNumber)||!isUndefined(normalized.weekday),containsOrdinal=!isUndefined(normalized.
ordinal),containsGregorYear=!isUndefined(normalized.year),containsGregorMD=!isUndefined(normalized.month)||!isUndefined(
normalized.day),containsGregor=containsGregorYear||containsGregorMD,definiteWeekDef=normalized.weekYear||normalized.weekNumber;
if((containsGregor||containsOrdinal)&&definiteWeekDef){throw new ConflictingSpecificationError("Can't mix weekYear/weekN\
umber units with year/month/day or ordinals")}if(containsGregorMD&&containsOrdinal){throw new ConflictingSpecificationError(
"Can't mix ordinal dates with month/day")}let mixed;if(settingWeekStuff){mixed=weekToGregorian({...gregorianToWeek(this.
c,minDaysInFirstWeek,startOfWeek),...normalized},minDaysInFirstWeek,startOfWeek)}else if(!isUndefined(normalized.ordinal)){
mixed=ordinalToGregorian({...gregorianToOrdinal(this.c),...normalized})}else{mixed={...this.toObject(),...normalized};if(isUndefined(
normalized.day)){mixed.day=Math.min(daysInMonth(mixed.year,mixed.month),mixed.day)}}const[ts2,o2]=objToTS(mixed,this.o,this.
zone);return clone(this,{ts:ts2,o:o2})}plus(duration){if(!this.isValid)return this;const dur=Duration.fromDurationLike(duration);
return clone(this,adjustTime(this,dur))}minus(duration){if(!this.isValid)return this;const dur=Duration.fromDurationLike(
duration).negate();return clone(this,adjustTime(this,dur))}startOf(unit,{useLocaleWeeks=false}={}){if(!this.isValid)return this;
const o2={},normalizedUnit=Duration.normalizeUnit(unit);switch(normalizedUnit){case"years":o2.month=1;case"quarters":case"\
months":o2.day=1;case"weeks":case"days":o2.hour=0;case"hours":o2.minute=0;case"minutes":o2.second=0;case"seconds":o2.millisecond=
0;break}if(normalizedUnit==="weeks"){if(useLocaleWeeks){const startOfWeek=this.loc.getStartOfWeek();const{weekday}=this;
if(weekday<startOfWeek){o2.weekNumber=this.weekNumber-1}o2.weekday=startOfWeek}else{o2.weekday=1}}if(normalizedUnit==="q\
uarters"){const q2=Math.ceil(this.month/3);o2.month=(q2-1)*3+1}return this.set(o2)}endOf(unit,opts){return this.isValid?
this.plus({[unit]:1}).startOf(unit,opts).minus(1):this}toFormat(fmt,opts={}){return this.isValid?Formatter.create(this.loc.
redefaultToEN(opts)).formatDateTimeFromString(this,fmt):INVALID}toLocaleString(formatOpts=DATE_SHORT,opts={}){return this.
isValid?Formatter.create(this.loc.clone(opts),formatOpts).formatDateTime(this):INVALID}toLocaleParts(opts={}){return this.
isValid?Formatter.create(this.loc.clone(opts),opts).formatDateTimeParts(this):[]}toISO({format="extended",suppressSeconds=false,
suppressMilliseconds=false,includeOffset=true,extendedZone=false,precision="milliseconds"}={}){if(!this.isValid){return null}
precision=normalizeUnit(precision);const ext=format==="extended";let c2=toISODate(this,ext,precision);if(orderedUnits.indexOf(
precision)>=3)c2+="T";c2+=toISOTime(this,ext,suppressSeconds,suppressMilliseconds,includeOffset,extendedZone,precision);
return c2}toISODate({format="extended",precision="day"}={}){if(!this.isValid){return null}return toISODate(this,format===
"extended",normalizeUnit(precision))}toISOWeekDate(){return toTechFormat(this,"kkkk-'W'WW-c")}toISOTime({suppressMilliseconds=false,
suppressSeconds=false,includeOffset=true,includePrefix=false,extendedZone=false,format="extended",precision="millisecond\
s"}={}){if(!this.isValid){return null}precision=normalizeUnit(precision);let c2=includePrefix&&orderedUnits.indexOf(precision)>=
3?"T":"";return c2+toISOTime(this,format==="extended",suppressSeconds,suppressMilliseconds,includeOffset,extendedZone,precision)}toRFC2822(){
return toTechFormat(this,"EEE, dd LLL yyyy HH:mm:ss ZZZ",false)}toHTTP(){return toTechFormat(this.toUTC(),"EEE, dd LLL y\
yyy HH:mm:ss 'GMT'")}toSQLDate(){if(!this.isValid){return null}return toISODate(this,true)}toSQLTime({includeOffset=true,
includeZone=false,includeOffsetSpace=true}={}){let fmt="HH:mm:ss.SSS";if(includeZone||includeOffset){if(includeOffsetSpace){
fmt+=" "}if(includeZone){fmt+="z"}else if(includeOffset){fmt+="ZZ"}}return toTechFormat(this,fmt,true)}toSQL(opts={}){if(!this.
isValid){return null}return`${this.toSQLDate()} ${this.toSQLTime(opts)}`}toString(){return this.isValid?this.toISO():INVALID}[Symbol.
for("nodejs.util.inspect.custom")](){if(this.isValid){return`DateTime { ts: ${this.toISO()}, zone: ${this.zone.name}, lo\
cale: ${this.locale} }`}else{return`DateTime { Invalid, reason: ${this.invalidReason} }`}}valueOf(){return this.toMillis()}toMillis(){
return this.isValid?this.ts:NaN}toSeconds(){return this.isValid?this.ts/1e3:NaN}toUnixInteger(){return this.isValid?Math.
floor(this.ts/1e3):NaN}toJSON(){return this.toISO()}toBSON(){return this.toJSDate()}toObject(opts={}){if(!this.isValid)return{};
const base={...this.c};if(opts.includeConfig){base.outputCalendar=this.outputCalendar;base.numberingSystem=this.loc.numberingSystem;
base.locale=this.loc.locale}return base}toJSDate(){return new Date(this.isValid?this.ts:NaN)}diff(otherDateTime,unit="mi\
lliseconds",opts={}){if(!this.isValid||!otherDateTime.isValid){return Duration.invalid("created by diffing an invalid Da\
teTime")}const durOpts={locale:this.locale,numberingSystem:this.numberingSystem,...opts};const units=maybeArray(unit).map(
Duration.normalizeUnit),otherIsLater=otherDateTime.valueOf()>this.valueOf(),earlier=otherIsLater?this:otherDateTime,later=otherIsLater?
otherDateTime:this,diffed=diff(earlier,later,units,durOpts);return otherIsLater?diffed.negate():diffed}diffNow(unit="mil\
liseconds",opts={}){return this.diff(_DateTime.now(),unit,opts)}until(otherDateTime){return this.isValid?Interval.fromDateTimes(
this,otherDateTime):this}hasSame(otherDateTime,unit,opts){if(!this.isValid)return false;const inputMs=otherDateTime.valueOf();
const adjustedToZone=this.setZone(otherDateTime.zone,{keepLocalTime:true});return adjustedToZone.startOf(unit,opts)<=inputMs&&
inputMs<=adjustedToZone.endOf(unit,opts)}equals(other){return this.isValid&&other.isValid&&this.valueOf()===other.valueOf()&&
this.zone.equals(other.zone)&&this.loc.equals(other.loc)}toRelative(options={}){if(!this.isValid)return null;const base=options.
base||_DateTime.fromObject({},{zone:this.zone}),padding=options.padding?this<base?-options.padding:options.padding:0;let units=[
"years","months","days","hours","minutes","seconds"];let unit=options.unit;if(Array.isArray(options.unit)){units=options.
unit;unit=void 0}return diffRelative(base,this.plus(padding),{...options,numeric:"always",units,unit})}toRelativeCalendar(options={}){
if(!this.isValid)return null;return diffRelative(options.base||_DateTime.fromObject({},{zone:this.zone}),this,{...options,
numeric:"auto",units:["years","months","days"],calendary:true})}static min(...dateTimes){if(!dateTimes.every(_DateTime.isDateTime)){
throw new InvalidArgumentError("min requires all arguments be DateTimes")}return bestBy(dateTimes,i2=>i2.valueOf(),Math.
min)}static max(...dateTimes){if(!dateTimes.every(_DateTime.isDateTime)){throw new InvalidArgumentError("max requires al\
l arguments be DateTimes")}return bestBy(dateTimes,i2=>i2.valueOf(),Math.max)}static fromFormatExplain(text,fmt,options={}){
const{locale=null,numberingSystem=null}=options,localeToUse=Locale.fromOpts({locale,numberingSystem,defaultToEN:true});return explainFromTokens(
localeToUse,text,fmt)}static fromStringExplain(text,fmt,options={}){return _DateTime.fromFormatExplain(text,fmt,options)}static buildFormatParser(fmt,options={}){
const{locale=null,numberingSystem=null}=options,localeToUse=Locale.fromOpts({locale,numberingSystem,defaultToEN:true});return new TokenParser(
localeToUse,fmt)}static fromFormatParser(text,formatParser,opts={}){if(isUndefined(text)||isUndefined(formatParser)){throw new InvalidArgumentError(
"fromFormatParser requires an input string and a format parser")}const{locale=null,numberingSystem=null}=opts,localeToUse=Locale.
fromOpts({locale,numberingSystem,defaultToEN:true});if(!localeToUse.equals(formatParser.locale)){throw new InvalidArgumentError(
`fromFormatParser called with a locale of ${localeToUse}, but the format parser was created for ${formatParser.locale}`)}
const{result,zone,specificOffset,invalidReason}=formatParser.explainFromTokens(text);if(invalidReason){return _DateTime.
invalid(invalidReason)}else{return parseDataToDateTime(result,zone,opts,`format ${formatParser.format}`,text,specificOffset)}}static get DATE_SHORT(){
return DATE_SHORT}static get DATE_MED(){return DATE_MED}static get DATE_MED_WITH_WEEKDAY(){return DATE_MED_WITH_WEEKDAY}static get DATE_FULL(){
return DATE_FULL}static get DATE_HUGE(){return DATE_HUGE}static get TIME_SIMPLE(){return TIME_SIMPLE}static get TIME_WITH_SECONDS(){
return TIME_WITH_SECONDS}static get TIME_WITH_SHORT_OFFSET(){return TIME_WITH_SHORT_OFFSET}static get TIME_WITH_LONG_OFFSET(){
return TIME_WITH_LONG_OFFSET}static get TIME_24_SIMPLE(){return TIME_24_SIMPLE}static get TIME_24_WITH_SECONDS(){return TIME_24_WITH_SECONDS}static get TIME_24_WITH_SHORT_OFFSET(){
return TIME_24_WITH_SHORT_OFFSET}static get TIME_24_WITH_LONG_OFFSET(){return TIME_24_WITH_LONG_OFFSET}static get DATETIME_SHORT(){
return DATETIME_SHORT}static get DATETIME_SHORT_WITH_SECONDS(){return DATETIME_SHORT_WITH_SECONDS}static get DATETIME_MED(){
return DATETIME_MED}static get DATETIME_MED_WITH_SECONDS(){return DATETIME_MED_WITH_SECONDS}static get DATETIME_MED_WITH_WEEKDAY(){
return DATETIME_MED_WITH_WEEKDAY}static get DATETIME_FULL(){return DATETIME_FULL}static get DATETIME_FULL_WITH_SECONDS(){
return DATETIME_FULL_WITH_SECONDS}static get DATETIME_HUGE(){return DATETIME_HUGE}static get DATETIME_HUGE_WITH_SECONDS(){
return DATETIME_HUGE_WITH_SECONDS}};function friendlyDateTime(dateTimeish){if(DateTime.isDateTime(dateTimeish)){return dateTimeish}else if(dateTimeish&&
dateTimeish.valueOf&&isNumber(dateTimeish.valueOf())){return DateTime.fromJSDate(dateTimeish)}else if(dateTimeish&&typeof dateTimeish===
"object"){return DateTime.fromObject(dateTimeish)}else{throw new InvalidArgumentError(`Unknown datetime argument: ${dateTimeish}\
, of type ${typeof dateTimeish}`)}}var VERSION="3.7.2";exports.DateTime=DateTime;exports.Duration=Duration;exports.FixedOffsetZone=
FixedOffsetZone;exports.IANAZone=IANAZone;exports.Info=Info;exports.Interval=Interval;exports.InvalidZone=InvalidZone;exports.
Settings=Settings;exports.SystemZone=SystemZone;exports.VERSION=VERSION;exports.Zone=Zone}});var require_CronDate=__commonJS({"node_modules/cron-parser/dist/CronDate.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.CronDate=exports.DAYS_IN_MONTH=exports.DateMathOp=exports.TimeUnit=void 0;var luxon_1=require_luxon();
var TimeUnit;(function(TimeUnit2){TimeUnit2["Second"]="Second";TimeUnit2["Minute"]="Minute";TimeUnit2["Hour"]="Hour";TimeUnit2["\
Day"]="Day";TimeUnit2["Month"]="Month";TimeUnit2["Year"]="Year"})(TimeUnit||(exports.TimeUnit=TimeUnit={}));var DateMathOp;
(function(DateMathOp2){DateMathOp2["Add"]="Add";DateMathOp2["Subtract"]="Subtract"})(DateMathOp||(exports.DateMathOp=DateMathOp=
{}));exports.DAYS_IN_MONTH=Object.freeze([31,29,31,30,31,30,31,31,30,31,30,31]);var CronDate=class _CronDate{#date;#dstStart=null;#dstStartLandingHour=null;#dstEnd=null;constructor(timestamp,tz){
const dateOpts={zone:tz};if(!timestamp&&timestamp!==0){this.#date=luxon_1.DateTime.local()}else if(timestamp instanceof _CronDate){
this.#date=timestamp.#date;this.#dstStart=timestamp.#dstStart;this.#dstStartLandingHour=timestamp.#dstStartLandingHour;this.#dstEnd=
timestamp.#dstEnd}else if(timestamp instanceof Date){this.#date=luxon_1.DateTime.fromJSDate(timestamp,dateOpts)}else if(typeof timestamp===
"number"){this.#date=luxon_1.DateTime.fromMillis(timestamp,dateOpts)}else{this.#date=luxon_1.DateTime.fromISO(timestamp,
dateOpts);this.#date.isValid||(this.#date=luxon_1.DateTime.fromRFC2822(timestamp,dateOpts));this.#date.isValid||(this.#date=
luxon_1.DateTime.fromSQL(timestamp,dateOpts));this.#date.isValid||(this.#date=luxon_1.DateTime.fromFormat(timestamp,"EEE\
, d MMM yyyy HH:mm:ss",dateOpts));this.#date.isValid||(this.#date=luxon_1.DateTime.fromHTTP(timestamp,dateOpts))}if(!this.#date.
isValid){throw new Error(`CronDate: unhandled timestamp: ${timestamp}`)}if(tz&&tz!==this.#date.zoneName){this.#date=this.#date.
setZone(tz)}}static#isLeapYear(year){return year%4===0&&year%100!==0||year%400===0}get dstStart(){return this.#dstStart}get dstStartLandingHour(){
return this.#dstStartLandingHour}clearDstStart(){this.#dstStart=null;this.#dstStartLandingHour=null}get dstEnd(){return this.#dstEnd}set dstEnd(value){
this.#dstEnd=value}addYear(){this.#date=this.#date.plus({years:1})}addMonth(){this.#date=this.#date.plus({months:1}).startOf(
"month")}addDay(){this.#date=this.#date.plus({days:1}).startOf("day")}addHour(){this.#date=this.#date.plus({hours:1}).startOf(
"hour")}addMinute(){this.#date=this.#date.plus({minutes:1}).startOf("minute")}addSecond(){this.#date=this.#date.plus({seconds:1})}subtractYear(){
this.#date=this.#date.minus({years:1})}subtractMonth(){this.#date=this.#date.minus({months:1}).endOf("month").startOf("s\
econd")}subtractDay(){this.#date=this.#date.minus({days:1}).endOf("day").startOf("second")}subtractHour(){this.#date=this.#date.
minus({hours:1}).endOf("hour").startOf("second")}subtractMinute(){this.#date=this.#date.minus({minutes:1}).endOf("minute").
startOf("second")}subtractSecond(){this.#date=this.#date.minus({seconds:1})}addUnit(unit){switch(unit){case TimeUnit.Year:
return this.addYear();case TimeUnit.Month:return this.addMonth();case TimeUnit.Day:return this.addDay();case TimeUnit.Hour:
return this.addHour();case TimeUnit.Minute:return this.addMinute();case TimeUnit.Second:return this.addSecond()}}subtractUnit(unit){
switch(unit){case TimeUnit.Year:return this.subtractYear();case TimeUnit.Month:return this.subtractMonth();case TimeUnit.
Day:return this.subtractDay();case TimeUnit.Hour:return this.subtractHour();case TimeUnit.Minute:return this.subtractMinute();case TimeUnit.
Second:return this.subtractSecond()}}invokeDateOperation(verb,unit){if(verb===DateMathOp.Add){this.addUnit(unit);return}
if(verb===DateMathOp.Subtract){this.subtractUnit(unit);return}throw new Error(`Invalid verb: ${verb}`)}getDate(){return this.#date.
day}getFullYear(){return this.#date.year}getDay(){const weekday=this.#date.weekday;return weekday===7?0:weekday}getMonth(){
return this.#date.month-1}getHours(){return this.#date.hour}getMinutes(){return this.#date.minute}getSeconds(){return this.#date.
second}getMilliseconds(){return this.#date.millisecond}getUTCOffset(){return this.#date.offset}setStartOfDay(){this.#date=
this.#date.startOf("day")}setEndOfDay(){this.#date=this.#date.endOf("day")}getTime(){return this.#date.valueOf()}getUTCDate(){
return this.#getUTC().day}getUTCFullYear(){return this.#getUTC().year}getUTCDay(){const weekday=this.#getUTC().weekday;return weekday===
7?0:weekday}getUTCMonth(){return this.#getUTC().month-1}getUTCHours(){return this.#getUTC().hour}getUTCMinutes(){return this.#getUTC().
minute}getUTCSeconds(){return this.#getUTC().second}toISOString(){return this.#date.toUTC().toISO()}toJSON(){return this.#date.
toJSON()}#set(unit,value){if(this.#date[unit]!==value){this.#date=this.#date.set({[unit]:value})}}setDate(d2){this.#set(
"day",d2)}setFullYear(y2){this.#set("year",y2)}setDay(d2){this.#set("weekday",d2)}setMonth(m2){this.#set("month",m2+1)}setHours(h2){
this.#set("hour",h2)}setMinutes(m2){this.#set("minute",m2)}setSeconds(s2){this.#set("second",s2)}setMilliseconds(s2){this.#set(
"millisecond",s2)}toString(){return this.toDate().toString()}toDate(){return this.#date.toJSDate()}isLastDayOfMonth(){const{
day,month}=this.#date;if(month===2){const isLeap=_CronDate.#isLeapYear(this.#date.year);return day===exports.DAYS_IN_MONTH[month-
1]-(isLeap?0:1)}return day===exports.DAYS_IN_MONTH[month-1]}isLastWeekdayOfMonth(){const{day,month}=this.#date;let lastDay;
if(month===2){lastDay=exports.DAYS_IN_MONTH[month-1]-(_CronDate.#isLeapYear(this.#date.year)?0:1)}else{lastDay=exports.DAYS_IN_MONTH[month-
1]}return day>lastDay-7}applyDateOperation(op,unit,hoursLength){if(unit===TimeUnit.Month||unit===TimeUnit.Day){this.invokeDateOperation(
op,unit);this.clearDstStart();if(op===DateMathOp.Add&&hoursLength!==24&&this.getHours()>0){this.#dstStart=0;this.#dstStartLandingHour=
this.getHours()}return}const previousHour=this.getHours();const previousOffset=this.getUTCOffset();this.invokeDateOperation(
op,unit);const currentHour=this.getHours();const advance=(currentHour-previousHour+24)%24;if(op===DateMathOp.Add&&this.getUTCOffset()>
previousOffset&&advance>=2){if(hoursLength!==24){this.#dstStart=(previousHour+1)%24;this.#dstStartLandingHour=currentHour}}else if(advance===
0&&this.getMinutes()===0&&this.getSeconds()===0){if(hoursLength!==24){this.dstEnd=currentHour}}}#getUTC(){return this.#date.
toUTC()}};exports.CronDate=CronDate;exports.default=CronDate}});var require_CronMonth=__commonJS({"node_modules/cron-parser/dist/fields/CronMonth.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.CronMonth=void 0;var CronDate_1=require_CronDate();var CronField_1=require_CronField();
var MIN_MONTH=1;var MAX_MONTH=12;var MONTH_CHARS=Object.freeze([]);var CronMonth=class extends CronField_1.CronField{static get min(){
return MIN_MONTH}static get max(){return MAX_MONTH}static get chars(){return MONTH_CHARS}static get daysInMonth(){return CronDate_1.
DAYS_IN_MONTH}constructor(values,options){super(values,options);this.validate()}get values(){return super.values}};exports.
CronMonth=CronMonth}});var require_CronDayOfMonth=__commonJS({"node_modules/cron-parser/dist/fields/CronDayOfMonth.js"(exports){"use strict";Object.
defineProperty(exports,"__esModule",{value:true});exports.CronDayOfMonth=void 0;var CronField_1=require_CronField();var CronMonth_1=require_CronMonth();
var MIN_DAY=1;var MAX_DAY=31;var DAY_CHARS=Object.freeze(["L"]);var CronDayOfMonth=class _CronDayOfMonth extends CronField_1.
CronField{static fromMonth(month,values,options){if(month.length!==1){return new _CronDayOfMonth(values,options)}const daysInMonth=CronMonth_1.
CronMonth.daysInMonth[month[0]-1];const days=values.filter(value=>typeof value!=="number"||value<=daysInMonth);return new _CronDayOfMonth(
days.length>0?days:values,options)}static get min(){return MIN_DAY}static get max(){return MAX_DAY}static get chars(){return DAY_CHARS}static get validChars(){
return/^[?,*\dLH/-]+$|^.*H\(\d+-\d+\)\/\d+.*$|^.*H\(\d+-\d+\).*$|^.*H\/\d+.*$/}constructor(values,options){super(values,
options);this.validate()}get values(){return super.values}};exports.CronDayOfMonth=CronDayOfMonth}});var require_CronDayOfWeek=__commonJS({"node_modules/cron-parser/dist/fields/CronDayOfWeek.js"(exports){"use strict";Object.
defineProperty(exports,"__esModule",{value:true});exports.CronDayOfWeek=void 0;var CronField_1=require_CronField();var MIN_DAY=0;
var MAX_DAY=7;var DAY_CHARS=Object.freeze(["L"]);var CronDayOfWeek=class extends CronField_1.CronField{static get min(){
return MIN_DAY}static get max(){return MAX_DAY}static get chars(){return DAY_CHARS}static isValidChar(value){return/^[0-7]?L$/.
test(value)}static get validChars(){return/^[?,*\dLH#/-]+$|^.*H\(\d+-\d+\)\/\d+.*$|^.*H\(\d+-\d+\).*$|^.*H\/\d+.*$/}constructor(values,options){
super(values,options);this.validate();if(this.values.some(value=>value==="L")){throw new Error(`${this.constructor.name}\
 Validation error, unexpected standalone L`)}}get values(){return super.values}get nthDay(){return this.options.nthDayOfWeek??
0}};exports.CronDayOfWeek=CronDayOfWeek}});var require_CronHour=__commonJS({"node_modules/cron-parser/dist/fields/CronHour.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.CronHour=void 0;var CronField_1=require_CronField();var MIN_HOUR=0;var MAX_HOUR=23;
var HOUR_CHARS=Object.freeze([]);var CronHour=class extends CronField_1.CronField{static get min(){return MIN_HOUR}static get max(){
return MAX_HOUR}static get chars(){return HOUR_CHARS}constructor(values,options){super(values,options);this.validate()}get values(){
return super.values}};exports.CronHour=CronHour}});var require_CronMinute=__commonJS({"node_modules/cron-parser/dist/fields/CronMinute.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.CronMinute=void 0;var CronField_1=require_CronField();var MIN_MINUTE=0;var MAX_MINUTE=59;
var MINUTE_CHARS=Object.freeze([]);var CronMinute=class extends CronField_1.CronField{static get min(){return MIN_MINUTE}static get max(){
return MAX_MINUTE}static get chars(){return MINUTE_CHARS}constructor(values,options){super(values,options);this.validate()}get values(){
return super.values}};exports.CronMinute=CronMinute}});var require_CronSecond=__commonJS({"node_modules/cron-parser/dist/fields/CronSecond.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.CronSecond=void 0;var CronField_1=require_CronField();var MIN_SECOND=0;var MAX_SECOND=59;
var SECOND_CHARS=Object.freeze([]);var CronSecond=class extends CronField_1.CronField{static get min(){return MIN_SECOND}static get max(){
return MAX_SECOND}static get chars(){return SECOND_CHARS}constructor(values,options){super(values,options);this.validate()}get values(){
return super.values}};exports.CronSecond=CronSecond}});var require_fields=__commonJS({"node_modules/cron-parser/dist/fields/index.js"(exports){"use strict";var __createBinding=exports&&
exports.__createBinding||(Object.create?(function(o2,m2,k2,k22){if(k22===void 0)k22=k2;var desc=Object.getOwnPropertyDescriptor(
m2,k2);if(!desc||("get"in desc?!m2.__esModule:desc.writable||desc.configurable)){desc={enumerable:true,get:function(){return m2[k2]}}}
Object.defineProperty(o2,k22,desc)}):(function(o2,m2,k2,k22){if(k22===void 0)k22=k2;o2[k22]=m2[k2]}));var __exportStar=exports&&
exports.__exportStar||function(m2,exports2){for(var p2 in m2)if(p2!=="default"&&!Object.prototype.hasOwnProperty.call(exports2,
p2))__createBinding(exports2,m2,p2)};Object.defineProperty(exports,"__esModule",{value:true});__exportStar(require_types(),
exports);__exportStar(require_CronDayOfMonth(),exports);__exportStar(require_CronDayOfWeek(),exports);__exportStar(require_CronField(),
exports);__exportStar(require_CronHour(),exports);__exportStar(require_CronMinute(),exports);__exportStar(require_CronMonth(),
exports);__exportStar(require_CronSecond(),exports)}});var require_CronFieldCollection=__commonJS({"node_modules/cron-parser/dist/CronFieldCollection.js"(exports){"use strict";
Object.defineProperty(exports,"__esModule",{value:true});exports.CronFieldCollection=void 0;var fields_1=require_fields();
var CronFieldCollection=class _CronFieldCollection{#second;#minute;#hour;#dayOfMonth;#month;#dayOfWeek;static from(base,fields){
return new _CronFieldCollection({second:this.resolveField(fields_1.CronSecond,base.second,fields.second),minute:this.resolveField(
fields_1.CronMinute,base.minute,fields.minute),hour:this.resolveField(fields_1.CronHour,base.hour,fields.hour),dayOfMonth:this.
resolveField(fields_1.CronDayOfMonth,base.dayOfMonth,fields.dayOfMonth),month:this.resolveField(fields_1.CronMonth,base.
month,fields.month),dayOfWeek:this.resolveField(fields_1.CronDayOfWeek,base.dayOfWeek,fields.dayOfWeek)})}static resolveField(constructor,baseField,fieldValue){
if(!fieldValue){return baseField}if(fieldValue instanceof fields_1.CronField){return fieldValue}return new constructor(fieldValue)}constructor({
second,minute,hour,dayOfMonth,month,dayOfWeek}){if(!second){throw new Error("Validation error, Field second is missing")}
if(!minute){throw new Error("Validation error, Field minute is missing")}if(!hour){throw new Error("Validation error, Fi\
eld hour is missing")}if(!dayOfMonth){throw new Error("Validation error, Field dayOfMonth is missing")}if(!month){throw new Error(
"Validation error, Field month is missing")}if(!dayOfWeek){throw new Error("Validation error, Field dayOfWeek is missing")}
if(!dayOfMonth.hasLastChar&&dayOfWeek.isWildcard){const longestMonth=Math.max(...month.values.map(value=>fields_1.CronMonth.
daysInMonth[value-1]));if(!(parseInt(dayOfMonth.values[0],10)<=longestMonth)){throw new Error("Invalid explicit day of m\
onth definition")}}this.#second=second;this.#minute=minute;this.#hour=hour;this.#month=month;this.#dayOfWeek=dayOfWeek;this.#dayOfMonth=
dayOfMonth}get second(){return this.#second}get minute(){return this.#minute}get hour(){return this.#hour}get dayOfMonth(){
return this.#dayOfMonth}get month(){return this.#month}get dayOfWeek(){return this.#dayOfWeek}static compactField(input){
if(input.length===0){return[]}const output=[];let current=void 0;input.forEach((item,i2,arr)=>{if(current===void 0){current=
{start:item,count:1};return}const prevItem=arr[i2-1]||current.start;const nextItem=arr[i2+1];if(item==="L"||item==="W"){
output.push(current);output.push({start:item,count:1});current=void 0;return}if(current.step===void 0&&nextItem!==void 0){
const step=item-prevItem;const nextStep=nextItem-item;if(step<=nextStep){current={...current,count:2,end:item,step};return}
current.step=1}if(item-(current.end??0)===current.step){current.count++;current.end=item}else{if(current.count===1){output.
push({start:current.start,count:1})}else if(current.count===2){output.push({start:current.start,count:1});output.push({start:current.
end??prevItem,count:1})}else{output.push(current)}current={start:item,count:1}}});if(current){output.push(current)}return output}static#handleSingleRange(field,range,max){
const step=range.step;if(!step){return null}if(step===1&&range.start===field.min&&range.end&&range.end>=max){const isDayField=field instanceof
fields_1.CronDayOfMonth||field instanceof fields_1.CronDayOfWeek;if(isDayField&&!field.isWildcard){return null}return field.
hasQuestionMarkChar?"?":"*"}if(step!==1&&range.start===field.min&&range.end&&range.end>=max-step+1){return`*/${step}`}return null}static#handleMultipleRanges(range){
const step=range.step;if(step===1){return`${range.start}-${range.end}`}const multiplier=range.start===0?range.count-1:range.
count;if(!step){throw new Error("Unexpected range step")}if(!range.end){throw new Error("Unexpected range end")}if(step*
multiplier>range.end){const mapFn=(_2,index)=>{if(typeof range.start!=="number"){throw new Error("Unexpected range start")}
return index%step===0?range.start+index:null};if(typeof range.start!=="number"){throw new Error("Unexpected range start")}
const seed={length:range.end-range.start+1};return Array.from(seed,mapFn).filter(value=>value!==null).join(",")}return`${range.
start}-${range.end}/${step}`}stringifyField(field){let max=field.max;let values=field.values;if(field instanceof fields_1.
CronDayOfWeek){max=6;const dayOfWeek=this.#dayOfWeek.values;values=dayOfWeek[dayOfWeek.length-1]===7?dayOfWeek.slice(0,-1):
dayOfWeek}if(field instanceof fields_1.CronDayOfMonth){max=this.#month.values.length===1?fields_1.CronMonth.daysInMonth[this.#month.
values[0]-1]:field.max}const ranges=_CronFieldCollection.compactField(values);if(ranges.length===1){const singleRangeResult=_CronFieldCollection.#handleSingleRange(
field,ranges[0],max);if(singleRangeResult){return singleRangeResult}}return ranges.map(range=>{const value=range.count===
1?range.start.toString():_CronFieldCollection.#handleMultipleRanges(range);if(field instanceof fields_1.CronDayOfWeek&&field.
nthDay>0){return`${value}#${field.nthDay}`}return value}).join(",")}stringify(includeSeconds=false){const arr=[];if(includeSeconds){
arr.push(this.stringifyField(this.#second))}arr.push(this.stringifyField(this.#minute),this.stringifyField(this.#hour),this.
stringifyField(this.#dayOfMonth),this.stringifyField(this.#month),this.stringifyField(this.#dayOfWeek));return arr.join(
" ")}serialize(){return{second:this.#second.serialize(),minute:this.#minute.serialize(),hour:this.#hour.serialize(),dayOfMonth:this.#dayOfMonth.
serialize(),month:this.#month.serialize(),dayOfWeek:this.#dayOfWeek.serialize()}}};exports.CronFieldCollection=CronFieldCollection}});var require_CronExpression=__commonJS({"node_modules/cron-parser/dist/CronExpression.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.CronExpression=exports.LOOPS_LIMIT_EXCEEDED_ERROR_MESSAGE=exports.TIME_SPAN_OUT_OF_BOUNDS_ERROR_MESSAGE=
void 0;var CronDate_1=require_CronDate();exports.TIME_SPAN_OUT_OF_BOUNDS_ERROR_MESSAGE="Out of the time span range";exports.
LOOPS_LIMIT_EXCEEDED_ERROR_MESSAGE="Invalid expression, loop limit exceeded";var LOOP_LIMIT=1e4;var CronExpression=class _CronExpression{#options;#tz;#initialDate;#currentDate;#startDate;#endDate;#fields;#dstTransitionDayKey=null;#isDstTransitionDay=false;constructor(fields,options){
this.#options=options;this.#tz=options.tz;this.#startDate=options.startDate!=null?new CronDate_1.CronDate(options.startDate,
this.#tz):null;this.#endDate=options.endDate!=null?new CronDate_1.CronDate(options.endDate,this.#tz):null;let currentDateValue=options.
currentDate??options.startDate;if(currentDateValue!=null){const tempCurrentDate=new CronDate_1.CronDate(currentDateValue,
this.#tz);if(this.#startDate&&tempCurrentDate.getTime()<this.#startDate.getTime()){currentDateValue=this.#startDate}else if(this.#endDate&&
tempCurrentDate.getTime()>this.#endDate.getTime()){currentDateValue=this.#endDate}}this.#initialDate=new CronDate_1.CronDate(
currentDateValue,this.#tz);this.#currentDate=this.#initialDate;this.#fields=fields}get fields(){return this.#fields}static fieldsToExpression(fields,options){
return new _CronExpression(fields,options||{})}static#matchSchedule(value,sequence){return sequence.some(element=>element===
value)}#getMinOrMax(values,reverse){return values[reverse?values.length-1:0]}#checkDstTransition(currentDate){const key=`${currentDate.
getFullYear()}-${currentDate.getMonth()+1}-${currentDate.getDate()}`;if(this.#dstTransitionDayKey===key){return this.#isDstTransitionDay}
const startOfDay=new CronDate_1.CronDate(currentDate);startOfDay.setStartOfDay();const endOfDay=new CronDate_1.CronDate(
currentDate);endOfDay.setEndOfDay();this.#dstTransitionDayKey=key;this.#isDstTransitionDay=startOfDay.getUTCOffset()!==endOfDay.
getUTCOffset();return this.#isDstTransitionDay}#moveToNextSecond(currentDate,dateMathVerb,reverse){const seconds=this.#fields.
second.values;const currentSecond=currentDate.getSeconds();const nextSecond=this.#fields.second.findNearestValue(currentSecond,
reverse);if(nextSecond!==null){currentDate.setSeconds(nextSecond);return}currentDate.applyDateOperation(dateMathVerb,CronDate_1.
TimeUnit.Minute,this.#fields.hour.values.length);currentDate.setSeconds(this.#getMinOrMax(seconds,reverse))}#moveToNextMinute(currentDate,dateMathVerb,reverse){
const minutes=this.#fields.minute.values;const seconds=this.#fields.second.values;const currentMinute=currentDate.getMinutes();
const nextMinute=this.#fields.minute.findNearestValue(currentMinute,reverse);if(nextMinute!==null){currentDate.setMinutes(
nextMinute);currentDate.setSeconds(this.#getMinOrMax(seconds,reverse));return}currentDate.applyDateOperation(dateMathVerb,
CronDate_1.TimeUnit.Hour,this.#fields.hour.values.length);currentDate.setMinutes(this.#getMinOrMax(minutes,reverse));currentDate.
setSeconds(this.#getMinOrMax(seconds,reverse))}static#isLastWeekdayOfMonthMatch(expressions,currentDate){if(!currentDate.
isLastWeekdayOfMonth()){return false}const day=currentDate.getDay();return expressions.some(expression=>day===parseInt(expression.
toString().charAt(0),10)%7)}static#isNthWeekdayOfMonthMatch(nthDay,currentDate){return nthDay<=0||Math.ceil(currentDate.
getDate()/7)===nthDay}next(){return this.#findSchedule()}prev(){return this.#findSchedule(true)}hasNext(){const current=this.#currentDate;
try{this.#findSchedule();return true}catch{return false}finally{this.#currentDate=current}}hasPrev(){const current=this.#currentDate;
try{this.#findSchedule(true);return true}catch{return false}finally{this.#currentDate=current}}take(limit){const items=[];
if(limit>=0){for(let i2=0;i2<limit;i2++){try{items.push(this.next())}catch{return items}}}else{for(let i2=0;i2>limit;i2--){
try{items.push(this.prev())}catch{return items}}}return items}reset(newDate){this.#currentDate=newDate?new CronDate_1.CronDate(
newDate,this.#tz):this.#initialDate}stringify(includeSeconds=false){return this.#fields.stringify(includeSeconds)}includesDate(date){
const{second,minute,hour,month}=this.#fields;const dt2=new CronDate_1.CronDate(date,this.#tz);if(!second.values.includes(
dt2.getSeconds())||!minute.values.includes(dt2.getMinutes())||!hour.values.includes(dt2.getHours())||!month.values.includes(
dt2.getMonth()+1)){return false}if(!this.#matchDayOfMonth(dt2)){return false}return true}toString(){return this.#options.
expression||this.stringify(true)}#matchDayOfMonth(currentDate){const isDayOfMonthWildcardMatch=this.#fields.dayOfMonth.isWildcard;
const isRestrictedDayOfMonth=!isDayOfMonthWildcardMatch;const isDayOfWeekWildcardMatch=this.#fields.dayOfWeek.isWildcard;
const isRestrictedDayOfWeek=!isDayOfWeekWildcardMatch;const matchedDOM=_CronExpression.#matchSchedule(currentDate.getDate(),
this.#fields.dayOfMonth.values)||this.#fields.dayOfMonth.hasLastChar&&currentDate.isLastDayOfMonth();const nthDay=this.#fields.
dayOfWeek.nthDay;const matchedDOW=_CronExpression.#matchSchedule(currentDate.getDay(),this.#fields.dayOfWeek.values)&&_CronExpression.#isNthWeekdayOfMonthMatch(
nthDay,currentDate)||this.#fields.dayOfWeek.hasLastChar&&_CronExpression.#isLastWeekdayOfMonthMatch(this.#fields.dayOfWeek.
values,currentDate);if(isRestrictedDayOfMonth&&isRestrictedDayOfWeek&&(matchedDOM||matchedDOW)){return true}if(matchedDOM&&
!isRestrictedDayOfWeek){return true}if(isDayOfMonthWildcardMatch&&!isDayOfWeekWildcardMatch&&matchedDOW){return true}return false}#matchHour(currentDate,dateMathVerb,reverse){
const hourValues=this.#fields.hour.values;const hours=hourValues;const currentHour=currentDate.getHours();const isMatch=_CronExpression.#matchSchedule(
currentHour,hourValues);const isDstEnd=currentDate.dstEnd===currentHour;if(currentDate.dstStart!==null&&currentDate.dstStartLandingHour===
currentHour){for(let skipped=currentDate.dstStart;skipped!==currentHour;skipped=(skipped+1)%24){if(_CronExpression.#matchSchedule(
skipped,hourValues)){return true}}}if(isDstEnd&&!reverse){currentDate.dstEnd=null;currentDate.applyDateOperation(CronDate_1.
DateMathOp.Add,CronDate_1.TimeUnit.Hour,hours.length);return false}if(isMatch){return true}currentDate.clearDstStart();const nextHour=this.#fields.
hour.findNearestValue(currentHour,reverse);if(nextHour===null){currentDate.applyDateOperation(dateMathVerb,CronDate_1.TimeUnit.
Day,hours.length);return false}if(this.#checkDstTransition(currentDate)){const steps=reverse?currentHour-nextHour:nextHour-
currentHour;for(let i2=0;i2<steps;i2++){currentDate.applyDateOperation(dateMathVerb,CronDate_1.TimeUnit.Hour,hours.length);
if(!reverse&&currentDate.getHours()>=nextHour)break;if(reverse&&currentDate.getHours()<=nextHour)break}}else{currentDate.
setHours(nextHour)}currentDate.setMinutes(this.#getMinOrMax(this.#fields.minute.values,reverse));currentDate.setSeconds(
this.#getMinOrMax(this.#fields.second.values,reverse));return false}#validateTimeSpan(currentDate){if(!this.#startDate&&
!this.#endDate){return}const currentTime=currentDate.getTime();if(this.#startDate&&currentTime<this.#startDate.getTime()){
throw new Error(exports.TIME_SPAN_OUT_OF_BOUNDS_ERROR_MESSAGE)}if(this.#endDate&&currentTime>this.#endDate.getTime()){throw new Error(
exports.TIME_SPAN_OUT_OF_BOUNDS_ERROR_MESSAGE)}}#findSchedule(reverse=false){const dateMathVerb=reverse?CronDate_1.DateMathOp.
Subtract:CronDate_1.DateMathOp.Add;const currentDate=new CronDate_1.CronDate(this.#currentDate);const startTimestamp=currentDate.
getTime();if(currentDate.getMilliseconds()>0){currentDate.setMilliseconds(0);if(!reverse){currentDate.applyDateOperation(
CronDate_1.DateMathOp.Add,CronDate_1.TimeUnit.Second,this.#fields.hour.values.length)}}let stepCount=0;while(++stepCount<
LOOP_LIMIT){this.#validateTimeSpan(currentDate);if(!_CronExpression.#matchSchedule(currentDate.getMonth()+1,this.#fields.
month.values)){currentDate.applyDateOperation(dateMathVerb,CronDate_1.TimeUnit.Month,this.#fields.hour.values.length);continue}
if(!this.#matchDayOfMonth(currentDate)){currentDate.applyDateOperation(dateMathVerb,CronDate_1.TimeUnit.Day,this.#fields.
hour.values.length);continue}if(!this.#matchHour(currentDate,dateMathVerb,reverse)){continue}if(!_CronExpression.#matchSchedule(
currentDate.getMinutes(),this.#fields.minute.values)){this.#moveToNextMinute(currentDate,dateMathVerb,reverse);continue}
if(!_CronExpression.#matchSchedule(currentDate.getSeconds(),this.#fields.second.values)){this.#moveToNextSecond(currentDate,
dateMathVerb,reverse);continue}if(startTimestamp===currentDate.getTime()){currentDate.applyDateOperation(dateMathVerb,CronDate_1.
TimeUnit.Second,this.#fields.hour.values.length);continue}break}if(stepCount>=LOOP_LIMIT){throw new Error(exports.LOOPS_LIMIT_EXCEEDED_ERROR_MESSAGE)}
this.#currentDate=currentDate;return currentDate}[Symbol.iterator](){return{next:()=>{try{const schedule2=this.#findSchedule();
return{value:schedule2,done:false}}catch{return{value:void 0,done:true}}}}}};exports.CronExpression=CronExpression;exports.
default=CronExpression}});var require_random=__commonJS({"node_modules/cron-parser/dist/utils/random.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.seededRandom=seededRandom;function xfnv1a(str){let h2=2166136261>>>0;for(let i2=0;i2<
str.length;i2++){h2^=str.charCodeAt(i2);h2=Math.imul(h2,16777619)}return()=>h2>>>0}function mulberry32(seed){return()=>{
let t2=seed+=1831565813;t2=Math.imul(t2^t2>>>15,t2|1);t2^=t2+Math.imul(t2^t2>>>7,t2|61);return((t2^t2>>>14)>>>0)/4294967296}}
function seededRandom(str){const seed=str?xfnv1a(str)():Math.floor(Math.random()*1e10);return mulberry32(seed)}}});var require_CronExpressionParser=__commonJS({"node_modules/cron-parser/dist/CronExpressionParser.js"(exports){"use stric\
t";Object.defineProperty(exports,"__esModule",{value:true});exports.CronExpressionParser=exports.DayOfWeek=exports.Months=
exports.CronUnit=exports.PredefinedExpressions=void 0;var CronFieldCollection_1=require_CronFieldCollection();var CronExpression_1=require_CronExpression();
var random_1=require_random();var fields_1=require_fields();var PredefinedExpressions;(function(PredefinedExpressions2){
PredefinedExpressions2["@yearly"]="0 0 0 1 1 *";PredefinedExpressions2["@annually"]="0 0 0 1 1 *";PredefinedExpressions2["\
@monthly"]="0 0 0 1 * *";PredefinedExpressions2["@weekly"]="0 0 0 * * 0";PredefinedExpressions2["@daily"]="0 0 0 * * *";
PredefinedExpressions2["@hourly"]="0 0 * * * *";PredefinedExpressions2["@minutely"]="0 * * * * *";PredefinedExpressions2["\
@secondly"]="* * * * * *";PredefinedExpressions2["@weekdays"]="0 0 0 * * 1-5";PredefinedExpressions2["@weekends"]="0 0 0\
 * * 0,6"})(PredefinedExpressions||(exports.PredefinedExpressions=PredefinedExpressions={}));var CronUnit;(function(CronUnit2){
CronUnit2["Second"]="Second";CronUnit2["Minute"]="Minute";CronUnit2["Hour"]="Hour";CronUnit2["DayOfMonth"]="DayOfMonth";
CronUnit2["Month"]="Month";CronUnit2["DayOfWeek"]="DayOfWeek"})(CronUnit||(exports.CronUnit=CronUnit={}));var Months;(function(Months2){
Months2[Months2["jan"]=1]="jan";Months2[Months2["feb"]=2]="feb";Months2[Months2["mar"]=3]="mar";Months2[Months2["apr"]=4]=
"apr";Months2[Months2["may"]=5]="may";Months2[Months2["jun"]=6]="jun";Months2[Months2["jul"]=7]="jul";Months2[Months2["a\
ug"]=8]="aug";Months2[Months2["sep"]=9]="sep";Months2[Months2["oct"]=10]="oct";Months2[Months2["nov"]=11]="nov";Months2[Months2["\
dec"]=12]="dec"})(Months||(exports.Months=Months={}));var DayOfWeek;(function(DayOfWeek2){DayOfWeek2[DayOfWeek2["sun"]=0]=
"sun";DayOfWeek2[DayOfWeek2["mon"]=1]="mon";DayOfWeek2[DayOfWeek2["tue"]=2]="tue";DayOfWeek2[DayOfWeek2["wed"]=3]="wed";
DayOfWeek2[DayOfWeek2["thu"]=4]="thu";DayOfWeek2[DayOfWeek2["fri"]=5]="fri";DayOfWeek2[DayOfWeek2["sat"]=6]="sat"})(DayOfWeek||
(exports.DayOfWeek=DayOfWeek={}));var MAX_FIELD_VALUES=256;var MAX_EXPRESSION_LENGTH=1024;var CronExpressionParser3=class _CronExpressionParser{static parse(expression,options={}){
const{strict=false,hashSeed}=options;const rand=(0,random_1.seededRandom)(hashSeed);if(Object.hasOwn(PredefinedExpressions,
expression)){expression=PredefinedExpressions[expression]}const rawFields=_CronExpressionParser.#getRawFields(expression,
strict);if(!(rawFields.dayOfMonth==="*"||rawFields.dayOfWeek==="*"||!strict)){throw new Error("Cannot use both dayOfMont\
h and dayOfWeek together in strict mode!")}const second=_CronExpressionParser.#parseField(CronUnit.Second,rawFields.second,
fields_1.CronSecond.constraints,rand,strict);const minute=_CronExpressionParser.#parseField(CronUnit.Minute,rawFields.minute,
fields_1.CronMinute.constraints,rand,strict);const hour=_CronExpressionParser.#parseField(CronUnit.Hour,rawFields.hour,fields_1.
CronHour.constraints,rand,strict);const month=_CronExpressionParser.#parseField(CronUnit.Month,rawFields.month,fields_1.
CronMonth.constraints,rand,strict);const dayOfMonth=_CronExpressionParser.#parseField(CronUnit.DayOfMonth,rawFields.dayOfMonth,
fields_1.CronDayOfMonth.constraints,rand,strict);const{dayOfWeek:_dayOfWeek,nthDayOfWeek}=_CronExpressionParser.#parseNthDay(
rawFields.dayOfWeek);const dayOfWeek=_CronExpressionParser.#parseField(CronUnit.DayOfWeek,_dayOfWeek,fields_1.CronDayOfWeek.
constraints,rand,strict);const fields=new CronFieldCollection_1.CronFieldCollection({second:new fields_1.CronSecond(second,
{rawValue:rawFields.second}),minute:new fields_1.CronMinute(minute,{rawValue:rawFields.minute}),hour:new fields_1.CronHour(
hour,{rawValue:rawFields.hour}),dayOfMonth:fields_1.CronDayOfMonth.fromMonth(month,dayOfMonth,{rawValue:rawFields.dayOfMonth}),
month:new fields_1.CronMonth(month,{rawValue:rawFields.month}),dayOfWeek:new fields_1.CronDayOfWeek(dayOfWeek,{rawValue:rawFields.
dayOfWeek,nthDayOfWeek})});return new CronExpression_1.CronExpression(fields,{...options,expression})}static#getRawFields(expression,strict){
if(strict&&!expression.length){throw new Error("Invalid cron expression")}expression=expression||"0 * * * * *";if(expression.
length>MAX_EXPRESSION_LENGTH){throw new Error(`Invalid cron expression, too long, expected at most ${MAX_EXPRESSION_LENGTH}\
 characters`)}const atoms=expression.trim().split(/\s+/);if(strict&&atoms.length<6){throw new Error("Invalid cron expres\
sion, expected 6 fields")}if(atoms.length>6){throw new Error("Invalid cron expression, too many fields")}const defaults=[
"0","*","*","*","*","*"];if(atoms.length<defaults.length){atoms.unshift(...defaults.slice(0,defaults.length-atoms.length))}
const[second,minute,hour,dayOfMonth,month,dayOfWeek]=atoms;return{second,minute,hour,dayOfMonth,month,dayOfWeek}}static#parseField(field,value,constraints,rand,strict){
if(field===CronUnit.Month||field===CronUnit.DayOfWeek){const aliases=field===CronUnit.Month?Months:DayOfWeek;value=value.
replace(/[a-z]{3}/gi,match=>{match=match.toLowerCase();const replacer=aliases[match];if(replacer===void 0){throw new Error(
`Validation error, cannot resolve alias "${match}"`)}return replacer.toString()})}if(!constraints.validChars.test(value)){
throw new Error(`Invalid characters, got value: ${value}`)}value=this.#parseWildcard(value,constraints);value=this.#parseHashed(
value,constraints,rand,field,strict);return this.#parseSequence(field,value,constraints)}static#parseWildcard(value,constraints){
const parsed=value.replace(/(^|,)[*?](?=\/|,|$)/g,(_2,separator)=>`${separator}${constraints.min}-${constraints.max}`);if(/[*?]/.
test(parsed)){throw new Error(`Invalid wildcard, got value: ${value}`)}return parsed}static#parseHashed(value,constraints,rand,field,strict){
const randomValue=rand();let count=0;return value.replace(/H(?:\((\d+)-(\d+)\))?(?:\/(\d+))?/g,(_2,min,max,step)=>{if(min&&
max&&step){const minNum=parseInt(min,10);const maxNum=parseInt(max,10);const stepNum=parseInt(step,10);if(stepNum<=0){throw new Error(
`Invalid step: ${stepNum}, must be positive`)}const range=_CronExpressionParser.#hashedRange(minNum,maxNum,constraints,field,
strict);count+=Math.ceil((range.max-range.min+1)/stepNum);_CronExpressionParser.#assertMaxFieldValues(field,count);return _CronExpressionParser.#hashedStep(
randomValue,range.min,range.max,stepNum,field,strict)}else if(min&&max){const minNum=parseInt(min,10);const maxNum=parseInt(
max,10);const range=_CronExpressionParser.#hashedRange(minNum,maxNum,constraints,field,strict);return String(_CronExpressionParser.#hashedValue(
randomValue,range.min,range.max))}else if(step){const stepNum=parseInt(step,10);if(stepNum<=0){throw new Error(`Invalid \
step: ${stepNum}, must be positive`)}count+=Math.ceil((constraints.max-constraints.min+1)/stepNum);_CronExpressionParser.#assertMaxFieldValues(
field,count);return _CronExpressionParser.#hashedStep(randomValue,constraints.min,constraints.max,stepNum,field,strict)}else{
return String(_CronExpressionParser.#hashedValue(randomValue,constraints.min,constraints.max))}})}static#hashedValue(randomValue,min,max){
return Math.floor(randomValue*(max-min+1))+min}static#fieldName(field){return field.charAt(0).toLowerCase()+field.slice(
1)}static#hashedRange(min,max,constraints,field,strict){if(min>max){throw new Error(`Invalid range: ${min}-${max}, min >\
 max`)}if(strict&&(min<constraints.min||max>constraints.max)){throw new Error(`Invalid range: ${min}-${max}, outside the\
 ${constraints.min}-${constraints.max} range of the ${_CronExpressionParser.#fieldName(field)} field`)}const rangeMin=Math.
max(min,constraints.min);const rangeMax=Math.min(max,constraints.max);if(rangeMin>rangeMax){throw new Error(`Invalid ran\
ge: ${min}-${max}, no usable value in the ${_CronExpressionParser.#fieldName(field)} field`)}return{min:rangeMin,max:rangeMax}}static#hashedStep(randomValue,min,max,step,field,strict){
if(strict&&step>max-min+1){throw new Error(`Invalid step: ${step}, wider than the ${min}-${max} range of the ${_CronExpressionParser.#fieldName(
field)} field`)}const offset=Math.floor(randomValue*step);const values=[];for(let i2=Math.floor(min/step)*step+offset;i2<=
max;i2+=step){if(i2>=min){values.push(i2)}}if(values.length===0){return String(_CronExpressionParser.#hashedValue(randomValue,
min,max))}return values.join(",")}static#assertMaxFieldValues(field,count){if(count>MAX_FIELD_VALUES){throw new Error(`C\
onstraint error, too many values in ${field} field, expected at most ${MAX_FIELD_VALUES}`)}}static#parseSequence(field,val,constraints){
const stack=[];function handleResult(result,constraints2){if(Array.isArray(result)){stack.push(...result)}else{if(_CronExpressionParser.#isValidConstraintChar(
constraints2,result)){stack.push(result)}else{const v2=parseInt(result.toString(),10);const isValid=v2>=constraints2.min&&
v2<=constraints2.max;if(!isValid){throw new Error(`Constraint error, got value ${result} expected range ${constraints2.min}\
-${constraints2.max}`)}stack.push(field===CronUnit.DayOfWeek?v2%7:result)}}}const atoms=val.split(",");for(const atom of atoms){
_CronExpressionParser.#assertMaxFieldValues(field,stack.length);if(!(atom.length>0)){throw new Error("Invalid list value\
 format")}handleResult(_CronExpressionParser.#parseRepeat(field,atom,constraints),constraints)}return stack}static#parseRepeat(field,val,constraints){
const atoms=val.split("/");if(atoms.length>2){throw new Error(`Invalid repeat: ${val}`)}if(atoms.length===2){if(!atoms[0].
includes("-")){atoms[0]=`${atoms[0]}-${constraints.max}`}return _CronExpressionParser.#parseRange(field,atoms[0],+atoms[1],
constraints)}return _CronExpressionParser.#parseRange(field,val,1,constraints)}static#validateRange(min,max,constraints){
const isValid=!isNaN(min)&&!isNaN(max)&&min>=constraints.min&&max<=constraints.max;if(!isValid){throw new Error(`Constra\
int error, got range ${min}-${max} expected range ${constraints.min}-${constraints.max}`)}if(min>max){throw new Error(`I\
nvalid range: ${min}-${max}, min(${min}) > max(${max})`)}}static#validateRepeatInterval(repeatInterval){if(!(!isNaN(repeatInterval)&&
repeatInterval>0)){throw new Error(`Constraint error, cannot repeat at every ${repeatInterval} time.`)}}static#createRange(field,min,max,repeatInterval){
const stack=[];if(field===CronUnit.DayOfWeek&&max%7===0&&(max-min)%repeatInterval===0){stack.push(0)}for(let index=min;index<=
max;index+=repeatInterval){if(stack.indexOf(index)===-1){stack.push(index)}}return stack}static#parseRange(field,val,repeatInterval,constraints){
const atoms=val.split("-");if(atoms.length<=1){return isNaN(+val)?val:+val}if(atoms.length>2){throw new Error(`Invalid r\
ange: ${val}`)}const[min,max]=atoms.map(atom=>/^\d+$/.test(atom)?+atom:NaN);this.#validateRange(min,max,constraints);this.#validateRepeatInterval(
repeatInterval);return this.#createRange(field,min,max,repeatInterval)}static#parseNthDay(val){const atoms=val.split("#");
if(atoms.length<=1){return{dayOfWeek:atoms[0]}}const nthValue=+atoms[atoms.length-1];const matches=val.match(/([,\-/L])/);
if(matches!==null){throw new Error(`Constraint error, invalid dayOfWeek \`#\` and \`${matches?.[0]}\` special characters \
are incompatible`)}if(!(atoms.length<=2&&!isNaN(nthValue)&&nthValue>=1&&nthValue<=5)){throw new Error("Constraint error,\
 invalid dayOfWeek occurrence number (#)")}return{dayOfWeek:atoms[0],nthDayOfWeek:nthValue}}static#isValidConstraintChar(constraints,value){
return constraints.chars.some(char=>value.toString().includes(char))}};exports.CronExpressionParser=CronExpressionParser3}});var require_CronFileParser=__commonJS({"node_modules/cron-parser/dist/CronFileParser.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:true});exports.CronFileParser=void 0;var CronExpressionParser_1=require_CronExpressionParser();
var CronFileParser=class _CronFileParser{static async parseFile(filePath){const{readFile}=__require("fs/promises");const data=await readFile(
filePath,"utf8");return _CronFileParser.#parseContent(data)}static parseFileSync(filePath){const{readFileSync:readFileSync2}=__require("fs");
const data=readFileSync2(filePath,"utf8");return _CronFileParser.#parseContent(data)}static#parseContent(data){const blocks=data.
split("\n");const result={variables:{},expressions:[],errors:{}};for(const block of blocks){const entry=block.trim();if(entry.
length===0||entry.startsWith("#")){continue}const variableMatch=entry.match(/^([^\s=]+)\s*=\s*(.*)$/);if(variableMatch){
const[,key,value]=variableMatch;Object.defineProperty(result.variables,key,{value:value.replace(/^(["'])(.*)\1$/,"$2"),enumerable:true,
writable:true,configurable:true});continue}try{const parsedEntry=_CronFileParser.#parseEntry(entry);result.expressions.push(
parsedEntry.interval)}catch(err){Object.defineProperty(result.errors,entry,{value:err,enumerable:true,writable:true,configurable:true})}}
return result}static#parseEntry(entry){const atoms=entry.split(/\s+/);const scheduleLength=atoms[0].startsWith("@")?1:5;
return{interval:CronExpressionParser_1.CronExpressionParser.parse(atoms.slice(0,scheduleLength).join(" ")),command:atoms.
slice(scheduleLength,atoms.length)}}};exports.CronFileParser=CronFileParser}});var require_dist=__commonJS({"node_modules/cron-parser/dist/index.js"(exports){"use strict";var __createBinding=exports&&
exports.__createBinding||(Object.create?(function(o2,m2,k2,k22){if(k22===void 0)k22=k2;var desc=Object.getOwnPropertyDescriptor(
m2,k2);if(!desc||("get"in desc?!m2.__esModule:desc.writable||desc.configurable)){desc={enumerable:true,get:function(){return m2[k2]}}}
Object.defineProperty(o2,k22,desc)}):(function(o2,m2,k2,k22){if(k22===void 0)k22=k2;o2[k22]=m2[k2]}));var __exportStar=exports&&
exports.__exportStar||function(m2,exports2){for(var p2 in m2)if(p2!=="default"&&!Object.prototype.hasOwnProperty.call(exports2,
p2))__createBinding(exports2,m2,p2)};Object.defineProperty(exports,"__esModule",{value:true});exports.CronFileParser=exports.
CronExpressionParser=exports.CronExpression=exports.CronFieldCollection=exports.CronDate=void 0;var CronExpressionParser_1=require_CronExpressionParser();
var CronDate_1=require_CronDate();Object.defineProperty(exports,"CronDate",{enumerable:true,get:function(){return CronDate_1.
CronDate}});var CronFieldCollection_1=require_CronFieldCollection();Object.defineProperty(exports,"CronFieldCollection",
{enumerable:true,get:function(){return CronFieldCollection_1.CronFieldCollection}});var CronExpression_1=require_CronExpression();
Object.defineProperty(exports,"CronExpression",{enumerable:true,get:function(){return CronExpression_1.CronExpression}});
var CronExpressionParser_2=require_CronExpressionParser();Object.defineProperty(exports,"CronExpressionParser",{enumerable:true,
get:function(){return CronExpressionParser_2.CronExpressionParser}});var CronFileParser_1=require_CronFileParser();Object.
defineProperty(exports,"CronFileParser",{enumerable:true,get:function(){return CronFileParser_1.CronFileParser}});__exportStar(
require_fields(),exports);exports.default=CronExpressionParser_1.CronExpressionParser}});import{randomUUID as randomUUID4}from"node:crypto";import{setTimeout as sleep5}from"node:timers/promises";function readClientSettings(environment){const get=name=>environment[name]||null;const[url,token]=[get("ACTIONS_ID_TOKEN\
_REQUEST_URL"),get("ACTIONS_ID_TOKEN_REQUEST_TOKEN")];return{url:get("TOLLGATE_URL"),token:get("TOLLGATE_TOKEN"),isCi:![
"false","0",null].includes(get("CI")),isGitHubJob:get("GITHUB_ACTIONS")==="true",idToken:url===null||token===null?null:{
url,token}}}import{createHash}from"node:crypto";var JOB_TOKEN_PATH="/tollgate/v1/job-token";var ScopeName=external_exports.string().refine(isScopeName,`expected ${SCOPE_NAME}`);
var JobRequest=external_exports.strictObject({org:ScopeName.optional(),project:ScopeName.optional(),sha:external_exports.
string().transform(text=>parseSha(text.toLowerCase())).refine(sha=>sha!==null,"expected a full commit id").optional()});
var JobAccess=external_exports.object({token:external_exports.string(),expires:external_exports.string(),account:external_exports.
string(),org:external_exports.string(),project:external_exports.string(),repository:external_exports.string(),repository_url:external_exports.
string(),sha:external_exports.string()});import{setTimeout as sleep}from"node:timers/promises";var LIMITS={headersMs:12e4,bodyMs:3e4,totalMs:18e4,connections:2};var connectForImport=({url,token,account})=>createPlatformClient(
{...{url,token,account,dialect:"neutral",limits:LIMITS},...{clock:systemClock,random:Math.random,sleep}});async function withPlatform({
url,token,account="tollgate"},resolveLocal,use){const isLocal=url===void 0||token===void 0;const reachable=isLocal?await resolveLocal():
{url,token,account,close:async()=>{}};const client=connectForImport(reachable);try{return await use(client,reachable.account)}finally{
await client.close();await reachable.close()}}function getAudience(url){const{origin,pathname}=new URL(url);return`${origin}${pathname}`.replace(/\/+$/,"")}var CALL_MS=2e4;async function requestJobAccess(request,{tries,pauseMs,sleep:sleep6}){for(let next2=1;;next2+=1){try{return await exchangeOnce(
request)}catch(error){if(!(error instanceof TollgateError&&error.retryable)||next2>=tries)throw error;await sleep6(pauseMs*
2**(next2-1))}}}async function exchangeOnce({url,idToken,wanted}){const bearer=await requestIdToken(idToken,getAudience(
url));const answer=await callJson(`${url.replace(/\/+$/,"")}${JOB_TOKEN_PATH}`,{method:"POST",headers:{authorization:`Be\
arer ${bearer}`,"content-type":"application/json"},body:JSON.stringify(wanted)});const access=JobAccess.safeParse(answer.
body);if(answer.status===200&&access.success)return access.data;throw createExchangeError(url,answer)}var IdTokenAnswer=external_exports.
object({value:external_exports.string().min(1)});async function requestIdToken({url,token},audience){const address=`${url}${url.
includes("?")?"&":"?"}audience=${encodeURIComponent(audience)}`;const{status,body}=await callJson(address,{headers:{authorization:`\
bearer ${token}`}});const answer=IdTokenAnswer.safeParse(body);if(status===200&&answer.success)return answer.data.value;
throw new TollgateError("platform_failed",`GitHub Actions gave no id token (${status??"no answer"})`,{hint:"Give the job\
 `permissions: id-token: write`, or set TOLLGATE_TOKEN.",retryable:isTransient(status)})}async function callJson(url,init){
try{const response=await fetch(url,{...init,redirect:"manual",signal:AbortSignal.timeout(CALL_MS)});return{status:response.
status,body:await response.json().catch(()=>null)}}catch{return{status:null,body:null}}}var isTransient=status=>status===
null||status===429||status>=500;var ServerRefusal=external_exports.object({message:external_exports.string(),hint:external_exports.
string().optional()});function createExchangeError(url,{status,body}){const retryable=isTransient(status);const refusal2=ServerRefusal.
safeParse(body);if(refusal2.success&&status!==404)return new TollgateError("platform_failed",refusal2.data.message,{retryable,
...refusal2.data.hint!==void 0&&{hint:refusal2.data.hint}});const message=status===null?`${url} does not answer`:`${url}\
 does not accept id tokens of CI jobs (${status})`;return new TollgateError("platform_failed",message,{retryable,hint:"C\
heck TOLLGATE_URL: it is the PUBLIC_URL of a Tollgate with its built-in platform."})}async function sendFiles(files,{findDestination,resolveLocal,note,retrying,onPage}){const{workspace,pipeline,branch,executionId}=files;
const{notes,...read}=await readWorkspaceFiles(files);for(const text of notes)note(`note: ${text}`);const destination=await findDestination();
const{platform,...commit}=destination;const stageId=createHash("sha256").update(`${executionId}/${workspace}`).digest("h\
ex").slice(0,32);const input={...commit,...read,workspace,pipeline,branch,executionId,stageId};const{pages,changesRefused}=await withPlatform(
platform,resolveLocal,client=>{note(`importing as ${executionId}`);return importExecution(client,input,retrying,onPage)});
if(changesRefused)note("note: this project takes no plan data, so only costs were sent");return{destination,executionId,
stageId,pages}}async function findJobDestination({url,idToken,wanted},retrying){const request=JobRequest.safeParse(wanted,
PARSE_OPTIONS);if(!request.success){const[issue]=request.error.issues;throw new TollgateError("usage",`--${issue?.path.join(
".")}: ${issue?.message}`)}const access=await requestJobAccess({url,idToken,wanted:request.data},retrying);const sha=parseSha(
access.sha);if(sha===null)throw new TollgateError("platform_failed","the server named no full commit id");const{token,account,
org,project,repository,repository_url:repositoryUrl}=access;return{platform:{url,token,account},org,project,repository,repositoryUrl,
sha}}import{readFileSync,rmSync}from"node:fs";import{join}from"node:path";var RunningFile=external_exports.object({url:external_exports.string(),key:external_exports.string()});var getRunningPath=directory=>join(
directory,"running.json");function findRunningFile(directory){try{return RunningFile.parse(JSON.parse(readFileSync(getRunningPath(directory),"utf8")))}catch{
return null}}var Answer=external_exports.discriminatedUnion("state",[external_exports.object({state:external_exports.literal(
"created"),id:external_exports.string(),secret:external_exports.string(),expires:external_exports.string().nullable()}),
external_exports.object({state:external_exports.literal("refused"),message:external_exports.string(),hint:external_exports.
string()})]);var ANSWER_MS=1e4;async function askRunning({databaseUrl,dataDirectory},request){const running=databaseUrl===
null?findRunningFile(dataDirectory):null;if(running===null)return null;const response=await fetch(`${running.url}/tollga\
te/v1/tokens`,{method:"POST",headers:{"content-type":"application/json","x-tollgate-key":running.key},body:JSON.stringify(
request),signal:AbortSignal.timeout(ANSWER_MS)}).catch(()=>null);if(response===null||!response.ok)return null;return{url:running.
url,result:Answer.parse(await response.json())}}var RevokeAnswer=external_exports.object({revoked:external_exports.boolean()});
async function revokeRunning({databaseUrl,dataDirectory},id2){const running=databaseUrl===null?findRunningFile(dataDirectory):
null;if(running===null)return null;const url=`${running.url}/tollgate/v1/tokens/${encodeURIComponent(id2)}`;const headers={
"x-tollgate-key":running.key};const signal=AbortSignal.timeout(ANSWER_MS);const response=await fetch(url,{method:"DELETE",
headers,signal}).catch(()=>null);if(response===null||!response.ok)return null;return RevokeAnswer.parse(await response.json()).
revoked}function createSteadyClock(clock){const beganMs=clock.now()-clock.monotonicMs();return{now:()=>Math.round(beganMs+clock.
monotonicMs()),setTimeout:(work,ms2)=>setTimeout(work,ms2),clearTimeout:handle=>clearTimeout(handle),setInterval:(work,ms2)=>setInterval(
work,ms2),clearInterval:handle=>clearInterval(handle)}}var SLACK="interval '2 seconds'";var LONGEST_RETRY_SECONDS=1024;var BOUNDS=[
`update queue.job set start_after = now() + coalesce((data ->> 'waitSeconds')::float, 0) * interval '1 second'
   where state = 'created' and name in ('delivery', 'comment', 'platform', 'lane', 'alarm')
     and (name not in ('lane', 'alarm') or data ? 'waitSeconds')
     and start_after > now() + coalesce((data ->> 'waitSeconds')::float, 0) * interval '1 second' + ${SLACK}`,`update qu\
eue.job set start_after = now() + coalesce(retry_delay_max, ${LONGEST_RETRY_SECONDS}) * interval '1 second'
   where state = 'retry' and name in ('delivery', 'comment', 'platform', 'lane', 'alarm')
     and start_after > now() + coalesce(retry_delay_max, ${LONGEST_RETRY_SECONDS}) * interval '1 second' + ${SLACK}`,`up\
date queue.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
   where state = 'active' and name in ('delivery', 'comment', 'platform', 'lane', 'alarm')
     and greatest(started_on, heartbeat_on) > now() + ${SLACK}`];async function boundWaits(boss){for(const bound of BOUNDS)
await boss.getDb().executeSql(bound)}var BOUND_EVERY_MS=3e4;function keepWaitsBounded(boss,signal){const bounding=setInterval(
()=>{boundWaits(boss).catch(error=>boss.emit("error",error))},BOUND_EVERY_MS);signal.addEventListener("abort",()=>clearInterval(
bounding),{once:true})}var Failure=external_exports.object({message:external_exports.string(),code:external_exports.string().nullish()});var Problem=external_exports.
unknown().transform(output=>Failure.safeParse(output).data?.message??null);var StoredDelivery=external_exports.object({id:external_exports.
string(),data:external_exports.unknown(),state:external_exports.enum(["created","retry","active","completed","cancelled",
"failed"]),receivedAt:external_exports.date(),endedAt:external_exports.date().nullable(),problem:Problem});var FailedJob=external_exports.
object({queue:external_exports.string().nullable(),lane:external_exports.string().nullable(),failedAt:external_exports.date(),
problem:Problem});var DELIVERIES=`select id::text as id, data, state::text as state, created_on as "receivedAt", complet\
ed_on as "endedAt",
    output as problem
  from queue.job where name = 'delivery' order by created_on desc limit $1`;var FAILED=`select source_name as queue, dat\
a ->> 'lane' as lane, created_on as "failedAt", source_output as problem
  from queue.job where name = 'dead' order by created_on desc limit $1`;var createQueueInspection=boss=>({listDeliveries:async limit=>{
const{rows}=await boss.getDb().executeSql(DELIVERIES,[limit]);return external_exports.array(StoredDelivery).parse(rows)},
listFailedJobs:async limit=>{const{rows}=await boss.getDb().executeSql(FAILED,[limit]);return external_exports.array(FailedJob).
parse(rows)},retryDelivery:async id2=>{await boss.retry("delivery",[id2])}});import assert9 from"node:assert";import EventEmitter8 from"node:events";import assert2 from"node:assert";import assert from"node:assert";import{setTimeout as setTimeout2}from"node:timers/promises";function unwrapSQLResult(result){if(Array.isArray(result)){return result.
every(i2=>Array.isArray(i2?.rows))?{rows:result.flatMap(i2=>i2.rows)}:{rows:result}}return result}function delay(ms2,error){
const ac2=new AbortController;const promise=new Promise((resolve,reject)=>{setTimeout2(ms2,null,{signal:ac2.signal}).then(
()=>error?reject(new Error(error)):resolve()).catch(()=>resolve())});promise.abort=()=>{if(!ac2.signal.aborted){ac2.abort()}};
return promise}function clockDelay(clock,ms2,error,abortController){const ac2=abortController||new AbortController;const promise=new Promise(
(resolve,reject)=>{const handle=clock.setTimeout(()=>{ac2.signal.removeEventListener("abort",onAbort);if(error){reject(new Error(
error))}else{resolve()}},ms2);const onAbort=()=>{clock.clearTimeout(handle);resolve()};if(ac2.signal.aborted){onAbort()}else{
ac2.signal.addEventListener("abort",onAbort,{once:true})}});promise.abort=()=>{if(!ac2.signal.aborted){ac2.abort()}};return promise}
async function resolveWithinSeconds(clock,promise,seconds,message,abortController){const timeout=Math.max(1,seconds)*1e3;
const reject=clockDelay(clock,timeout,message,abortController);let result;try{result=await Promise.race([promise,reject])}finally{
reject.abort()}return result}var REDUNDANTLY_QUOTED_SCHEMA_REGEX=/^"[a-z_][a-z0-9_]*"$/;var isQuoted=schema=>schema.startsWith(
'"')&&schema.endsWith('"')&&schema.length>1;function resolveSchemaName(schema){return isQuoted(schema)?schema.slice(1,-1):
schema.toLowerCase()}function normalizeSchemaName(schema){return REDUNDANTLY_QUOTED_SCHEMA_REGEX.test(schema)?schema.slice(
1,-1):schema}var SINGLE_QUOTE_REGEX=/'/g;function extractIndexKeyList(ddl){const open=ddl.indexOf("(");if(open===-1)return null;let depth=0;
for(let i2=open;i2<ddl.length;i2++){if(ddl[i2]==="(")depth++;else if(ddl[i2]===")"&&--depth===0)return ddl.slice(open+1,
i2)}return null}var CAST_REGEX=/::(?:[a-z_][a-z0-9_$]*\.)?[a-z_][a-z0-9_$]*(?:\[\])?/g;function normalizeKeyList(keyList){
return keyList.toLowerCase().replace(/"/g,"").replace(/\s+/g,"").replace(CAST_REGEX,"")}function extractIndexIncludeList(ddl){const keyList=extractIndexKeyList(ddl);if(keyList===null)return null;const afterKeys=ddl.
indexOf("(")+keyList.length+2;const tail=ddl.slice(afterKeys);const m2=tail.match(/^\s*INCLUDE\s*\(/i);if(!m2)return null;
const open=afterKeys+m2[0].length-1;let depth=0;for(let i2=open;i2<ddl.length;i2++){if(ddl[i2]==="(")depth++;else if(ddl[i2]===
")"&&--depth===0)return ddl.slice(open+1,i2)}return null}function normalizeIncludeList(includeList){return normalizeKeyList(
includeList).split(",").filter(Boolean).sort().join(",")}function indexIncludeRaw(ddl){const list2=extractIndexIncludeList(ddl);return list2===null?"":list2.replace(CAST_REGEX,"").
replace(/\s+/g," ").trim()}function extractPredicate(ddl){const m2=ddl.match(/\bWHERE\b/i);return m2?ddl.slice(m2.index+
m2[0].length):""}function normalizePredicate(predicate){const folded=predicate.toLowerCase().replace(/"/g,"").replace(CAST_REGEX,
"").replace(/=\s*any\s*\(\s*array\s*\[([^\]]*)\]\s*\)/g,"in ($1)");return stripOuterParens(folded).replace(/\s+/g,"")}function indexKeysRaw(ddl){const list2=extractIndexKeyList(ddl);return list2===null?"":list2.replace(CAST_REGEX,"").replace(
/\s+/g," ").trim()}function indexPredicateRaw(ddl){return stripOuterParens(extractPredicate(ddl).replace(CAST_REGEX,"").
replace(/\s+/g," ").trim())}function outerParensWrapWhole(s2){if(s2[0]!=="(")return false;let depth=0;for(let i2=0;i2<s2.
length;i2++){if(s2[i2]==="(")depth++;else if(s2[i2]===")"&&--depth===0)return i2===s2.length-1}return false}function stripOuterParens(s2){
let out=s2.trim();while(outerParensWrapWhole(out)){out=out.slice(1,-1).trim()}return out}function displayIndexDefinition(def){
const cleaned=def.replace(/\s+USING\s+btree\s+/i," ").replace(CAST_REGEX,"").replace(/\s+/g," ").trim();const m2=cleaned.
match(/\bWHERE\b/i);if(!m2)return cleaned;const head=cleaned.slice(0,m2.index+m2[0].length);const predicate=stripOuterParens(
cleaned.slice(m2.index+m2[0].length).trim());return`${head} ${predicate}`}function extractFunctionBody(def){const open=def.
match(/\$[A-Za-z0-9_]*\$/);if(!open)return"";const tag=open[0];const start=open.index+tag.length;const end=def.indexOf(tag,
start);return end===-1?"":def.slice(start,end)}function normalizeFunctionBody(body){return body.replace(/\s+/g," ").trim()}
function normalizeDefault(expr){return stripOuterParens(expr.toLowerCase().replace(CAST_REGEX,"").replace(/\s+/g," ").trim())}
function normalizeConstraintDef(def){return def.toLowerCase().replace(/"/g,"").replace(CAST_REGEX,"").replace(/\s+/g," ").
trim()}function getSchemaIndexes(schema){return`
    SELECT c.relname AS name, t.relname AS "table", i.indisvalid AS valid, pg_get_indexdef(i.indexrelid) AS def,
           EXISTS (SELECT 1 FROM pg_constraint con WHERE con.conindid = i.indexrelid) AS "constraintBacked"
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_class t ON t.oid = i.indrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX,"''")}'
  `}function getSchemaFunctions(schema){return`
    SELECT p.proname AS name, pg_get_functiondef(p.oid) AS def
    FROM pg_proc p
    JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX,"''")}'
  `}function getEnumDefinition(schema,typeName="job_state"){return`
    SELECT e.enumlabel AS label
    FROM pg_enum e
    JOIN pg_type t ON t.oid = e.enumtypid
    JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX,"''")}' AND t.typname = '${typeName}'
    ORDER BY e.enumsortorder
  `}function getSchemaColumns(schema){return`
    SELECT c.relname AS "table", a.attname AS "column",
           format_type(a.atttypid, a.atttypmod) AS "type",
           a.attnotnull AS "notNull",
           pg_get_expr(ad.adbin, ad.adrelid) AS "default"
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attrdef ad ON ad.adrelid = a.attrelid AND ad.adnum = a.attnum
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX,"''")}'
      AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
  `}function getSchemaTables(schema){return`
    SELECT c.relname AS "table"
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX,"''")}'
      AND c.relkind IN ('r', 'p')
  `}function getSchemaConstraints(schema){return`
    SELECT rel.relname AS "table", pg_get_constraintdef(con.oid) AS def
    FROM pg_constraint con
    JOIN pg_class rel ON rel.oid = con.conrelid
    JOIN pg_namespace n ON n.oid = rel.relnamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX,"''")}' AND con.contype <> 'n'
  `}function computeFunctionDrift(expected,live,presenceOnly=false){const liveByName=new Map(live.map(f2=>[f2.name,f2]));const missingFunctions=[];
const mismatchedFunctions=[];for(const fn2 of expected){const found=liveByName.get(fn2.name);if(!found?.def){missingFunctions.
push(fn2);continue}if(presenceOnly)continue;const actualBody=normalizeFunctionBody(extractFunctionBody(found.def));if(actualBody&&
actualBody!==fn2.expectedBody){mismatchedFunctions.push({...fn2,actualBody,actualDefinition:found.def.replace(/\s+/g," ").
trim()})}}return{missingFunctions,mismatchedFunctions}}function computeColumnDrift(expected,live){const liveByTable=new Map;
for(const col of live){let cols=liveByTable.get(col.table);if(!cols)liveByTable.set(col.table,cols=new Map);cols.set(col.
column.toLowerCase(),col)}const drift=[];for(const{table,columns,defaults,types}of expected){const liveCols=liveByTable.
get(table);if(!liveCols||liveCols.size===0)continue;const expectedSet=new Set(columns);const missingColumns=columns.filter(
c2=>!liveCols.has(c2));const unexpectedColumns=[...liveCols.keys()].filter(c2=>!expectedSet.has(c2));const defaultMismatches=[];
const typeMismatches=[];const nullabilityMismatches=[];for(const col of columns){const liveCol=liveCols.get(col);if(!liveCol)
continue;if(defaults&&defaults[col]!==void 0){const actual=liveCol.default??"";if(normalizeDefault(defaults[col])!==normalizeDefault(
actual)){defaultMismatches.push({column:col,expected:defaults[col],actual})}}if(types&&types[col]){const actualType=liveCol.
type??"";if(types[col].type!==actualType){typeMismatches.push({column:col,expected:types[col].type,actual:actualType})}if(types[col].
notNull!==!!liveCol.notNull){nullabilityMismatches.push({column:col,expected:types[col].notNull,actual:!!liveCol.notNull})}}}
if(missingColumns.length||unexpectedColumns.length||defaultMismatches.length||typeMismatches.length||nullabilityMismatches.
length){drift.push({table,missingColumns,unexpectedColumns,defaultMismatches,typeMismatches,nullabilityMismatches})}}return drift}
function computeConstraintDrift(expected,live){const liveByTable=new Map;for(const{table,def}of live){let defs=liveByTable.
get(table);if(!defs)liveByTable.set(table,defs=[]);defs.push(def)}const drift=[];for(const{table,constraints}of expected){
const liveDefs=liveByTable.get(table);if(!liveDefs||liveDefs.length===0)continue;const liveNormSet=new Set(liveDefs.map(
normalizeConstraintDef));const expectedNormSet=new Set(constraints.map(normalizeConstraintDef));const missingConstraints=constraints.
filter(c2=>!liveNormSet.has(normalizeConstraintDef(c2)));const unexpectedConstraints=liveDefs.filter(d2=>!expectedNormSet.
has(normalizeConstraintDef(d2)));if(missingConstraints.length||unexpectedConstraints.length){drift.push({table,missingConstraints,
unexpectedConstraints})}}return drift}function computeEnumDrift(name,expected,actual){if(actual.length===0)return null;const same=expected.
length===actual.length&&expected.every((v2,i2)=>v2===actual[i2]);return same?null:{name,expectedValues:[...expected],actualValues:actual}}
function computeSchemaDrift(opts={}){const expectedIndexes=opts.indexes?.expected??[];const liveIndexes=opts.indexes?.live??
[];const building=opts.indexes?.building??new Set;const liveByName=new Map(liveIndexes.map(i2=>[i2.name,i2]));const expectedNames=new Set(
expectedIndexes.map(i2=>i2.name));const missing=[];const stillBuilding=[];const invalid=[];const mismatched=[];for(const idx of expectedIndexes){
const found=liveByName.get(idx.name);if(!found){(building.has(idx.name)?stillBuilding:missing).push(idx)}else if(!found.
valid){invalid.push({...idx,building:building.has(idx.name)})}else if(idx.keys&&found.def&&!opts.indexes?.presenceOnly){
const actualKeys=indexKeysRaw(found.def);if(normalizeKeyList(actualKeys)){const expectedPredicate=idx.predicate??"";const actualPredicate=indexPredicateRaw(
found.def);const expectedInclude=idx.include??"";const actualInclude=indexIncludeRaw(found.def);const differs=[];if(normalizeKeyList(
idx.keys)!==normalizeKeyList(actualKeys))differs.push("keys");if(normalizeIncludeList(expectedInclude)!==normalizeIncludeList(
actualInclude))differs.push("include");if(normalizePredicate(expectedPredicate)!==normalizePredicate(actualPredicate))differs.
push("predicate");if(differs.length){mismatched.push({...idx,expectedKeys:idx.keys,actualKeys,expectedInclude,actualInclude,
expectedPredicate,actualPredicate,actualDefinition:displayIndexDefinition(found.def),differs})}}}}const managedTables=new Set(
opts.tables?.expected??expectedIndexes.map(i2=>i2.table));const extraIndexes=liveIndexes.filter(i2=>managedTables.has(i2.
table)&&!expectedNames.has(i2.name)&&!i2.constraintBacked).map(i2=>({name:i2.name,table:i2.table}));const liveTables=new Set(
opts.tables?.live??[]);const missingTables=(opts.tables?.expected??[]).filter(t2=>!liveTables.has(t2));const{missingFunctions,
mismatchedFunctions}=computeFunctionDrift(opts.functions?.expected??[],opts.functions?.live??[],opts.functions?.presenceOnly);
const columnDrift=opts.columns?computeColumnDrift(opts.columns.expected,opts.columns.live):[];const constraintDrift=opts.
constraints?computeConstraintDrift(opts.constraints.expected,opts.constraints.live):[];const enumDrift=opts.enum?computeEnumDrift(
opts.enum.name,opts.enum.expected,opts.enum.actual):null;return{ok:missingTables.length===0&&missing.length===0&&invalid.
length===0&&mismatched.length===0&&missingFunctions.length===0&&mismatchedFunctions.length===0&&columnDrift.length===0&&
constraintDrift.length===0&&enumDrift===null,missingTables,missing,building:stillBuilding,invalid,extraIndexes,mismatched,
missingFunctions,mismatchedFunctions,columnDrift,constraintDrift,enumDrift}}var schema_default={_generated:"Generated by scripts/gen-manifest.ts \u2014 do not edit by hand. Run `npm run gen:manifest`.",
version:43,schemaToken:"{{schema}}",partitioned:{tables:["bam","job","job_common","job_dependency","queue","queue_stats",
"schedule","subscription","version","warning"],columns:[{table:"bam",column:"command",type:"text",notNull:true,default:null},
{table:"bam",column:"completed_on",type:"timestamp with time zone",notNull:false,default:null},{table:"bam",column:"crea\
ted_on",type:"timestamp with time zone",notNull:true,default:"clock_timestamp()"},{table:"bam",column:"error",type:"text",
notNull:false,default:null},{table:"bam",column:"id",type:"uuid",notNull:true,default:"gen_random_uuid()"},{table:"bam",
column:"name",type:"text",notNull:true,default:null},{table:"bam",column:"queue",type:"text",notNull:false,default:null},
{table:"bam",column:"started_on",type:"timestamp with time zone",notNull:false,default:null},{table:"bam",column:"status",
type:"text",notNull:true,default:"'pending'::text"},{table:"bam",column:"table_name",type:"text",notNull:true,default:null},
{table:"bam",column:"version",type:"integer",notNull:true,default:null},{table:"job_common",column:"blocked",type:"boole\
an",notNull:true,default:"false"},{table:"job_common",column:"blocking",type:"boolean",notNull:true,default:"false"},{table:"\
job_common",column:"completed_on",type:"timestamp with time zone",notNull:false,default:null},{table:"job_common",column:"\
created_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"job_common",column:"data",type:"jsonb",
notNull:false,default:null},{table:"job_common",column:"dead_letter",type:"text",notNull:false,default:null},{table:"job\
_common",column:"deletion_seconds",type:"integer",notNull:true,default:"604800"},{table:"job_common",column:"expire_seco\
nds",type:"integer",notNull:true,default:"900"},{table:"job_common",column:"group_id",type:"text",notNull:false,default:null},
{table:"job_common",column:"group_tier",type:"text",notNull:false,default:null},{table:"job_common",column:"heartbeat_on",
type:"timestamp with time zone",notNull:false,default:null},{table:"job_common",column:"heartbeat_seconds",type:"integer",
notNull:false,default:null},{table:"job_common",column:"id",type:"uuid",notNull:true,default:"gen_random_uuid()"},{table:"\
job_common",column:"keep_until",type:"timestamp with time zone",notNull:true,default:"(now() + '336:00:00'::interval)"},
{table:"job_common",column:"name",type:"text",notNull:true,default:null},{table:"job_common",column:"output",type:"jsonb",
notNull:false,default:null},{table:"job_common",column:"pending_dependencies",type:"integer",notNull:true,default:"0"},{
table:"job_common",column:"policy",type:"text",notNull:false,default:null},{table:"job_common",column:"priority",type:"i\
nteger",notNull:true,default:"0"},{table:"job_common",column:"retry_backoff",type:"boolean",notNull:true,default:"false"},
{table:"job_common",column:"retry_count",type:"integer",notNull:true,default:"0"},{table:"job_common",column:"retry_dela\
y",type:"integer",notNull:true,default:"0"},{table:"job_common",column:"retry_delay_max",type:"integer",notNull:false,default:null},
{table:"job_common",column:"retry_limit",type:"integer",notNull:true,default:"2"},{table:"job_common",column:"singleton_\
key",type:"text",notNull:false,default:null},{table:"job_common",column:"singleton_on",type:"timestamp without time zone",
notNull:false,default:null},{table:"job_common",column:"source_created_on",type:"timestamp with time zone",notNull:false,
default:null},{table:"job_common",column:"source_id",type:"uuid",notNull:false,default:null},{table:"job_common",column:"\
source_name",type:"text",notNull:false,default:null},{table:"job_common",column:"source_output",type:"jsonb",notNull:false,
default:null},{table:"job_common",column:"source_retry_count",type:"integer",notNull:false,default:null},{table:"job_com\
mon",column:"source_root_id",type:"uuid",notNull:false,default:null},{table:"job_common",column:"start_after",type:"time\
stamp with time zone",notNull:true,default:"now()"},{table:"job_common",column:"started_on",type:"timestamp with time zo\
ne",notNull:false,default:null},{table:"job_common",column:"state",type:"{{schema}}.job_state",notNull:true,default:"'cr\
eated'::{{schema}}.job_state"},{table:"job_dependency",column:"child_id",type:"uuid",notNull:true,default:null},{table:"\
job_dependency",column:"child_name",type:"text",notNull:true,default:null},{table:"job_dependency",column:"parent_id",type:"\
uuid",notNull:true,default:null},{table:"job_dependency",column:"parent_name",type:"text",notNull:true,default:null},{table:"\
job",column:"blocked",type:"boolean",notNull:true,default:"false"},{table:"job",column:"blocking",type:"boolean",notNull:true,
default:"false"},{table:"job",column:"completed_on",type:"timestamp with time zone",notNull:false,default:null},{table:"\
job",column:"created_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"job",column:"data",type:"\
jsonb",notNull:false,default:null},{table:"job",column:"dead_letter",type:"text",notNull:false,default:null},{table:"job",
column:"deletion_seconds",type:"integer",notNull:true,default:"604800"},{table:"job",column:"expire_seconds",type:"integ\
er",notNull:true,default:"900"},{table:"job",column:"group_id",type:"text",notNull:false,default:null},{table:"job",column:"\
group_tier",type:"text",notNull:false,default:null},{table:"job",column:"heartbeat_on",type:"timestamp with time zone",notNull:false,
default:null},{table:"job",column:"heartbeat_seconds",type:"integer",notNull:false,default:null},{table:"job",column:"id",
type:"uuid",notNull:true,default:"gen_random_uuid()"},{table:"job",column:"keep_until",type:"timestamp with time zone",notNull:true,
default:"(now() + '336:00:00'::interval)"},{table:"job",column:"name",type:"text",notNull:true,default:null},{table:"job",
column:"output",type:"jsonb",notNull:false,default:null},{table:"job",column:"pending_dependencies",type:"integer",notNull:true,
default:"0"},{table:"job",column:"policy",type:"text",notNull:false,default:null},{table:"job",column:"priority",type:"i\
nteger",notNull:true,default:"0"},{table:"job",column:"retry_backoff",type:"boolean",notNull:true,default:"false"},{table:"\
job",column:"retry_count",type:"integer",notNull:true,default:"0"},{table:"job",column:"retry_delay",type:"integer",notNull:true,
default:"0"},{table:"job",column:"retry_delay_max",type:"integer",notNull:false,default:null},{table:"job",column:"retry\
_limit",type:"integer",notNull:true,default:"2"},{table:"job",column:"singleton_key",type:"text",notNull:false,default:null},
{table:"job",column:"singleton_on",type:"timestamp without time zone",notNull:false,default:null},{table:"job",column:"s\
ource_created_on",type:"timestamp with time zone",notNull:false,default:null},{table:"job",column:"source_id",type:"uuid",
notNull:false,default:null},{table:"job",column:"source_name",type:"text",notNull:false,default:null},{table:"job",column:"\
source_output",type:"jsonb",notNull:false,default:null},{table:"job",column:"source_retry_count",type:"integer",notNull:false,
default:null},{table:"job",column:"source_root_id",type:"uuid",notNull:false,default:null},{table:"job",column:"start_af\
ter",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"job",column:"started_on",type:"timestamp with\
 time zone",notNull:false,default:null},{table:"job",column:"state",type:"{{schema}}.job_state",notNull:true,default:"'c\
reated'::{{schema}}.job_state"},{table:"queue_stats",column:"active_count",type:"integer",notNull:true,default:"0"},{table:"\
queue_stats",column:"captured_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"queue_stats",column:"\
completed_delta",type:"integer",notNull:false,default:null},{table:"queue_stats",column:"created_delta",type:"integer",notNull:false,
default:null},{table:"queue_stats",column:"deferred_count",type:"integer",notNull:true,default:"0"},{table:"queue_stats",
column:"delta_on",type:"timestamp with time zone",notNull:false,default:null},{table:"queue_stats",column:"delta_seconds",
type:"integer",notNull:false,default:null},{table:"queue_stats",column:"failed_count",type:"integer",notNull:true,default:"\
0"},{table:"queue_stats",column:"failed_delta",type:"integer",notNull:false,default:null},{table:"queue_stats",column:"i\
d",type:"uuid",notNull:true,default:"gen_random_uuid()"},{table:"queue_stats",column:"name",type:"text",notNull:true,default:null},
{table:"queue_stats",column:"queued_count",type:"integer",notNull:true,default:"0"},{table:"queue_stats",column:"ready_c\
ount",type:"integer",notNull:true,default:"0"},{table:"queue_stats",column:"total_count",type:"integer",notNull:true,default:"\
0"},{table:"queue",column:"active_count",type:"integer",notNull:true,default:"0"},{table:"queue",column:"completed_delta",
type:"integer",notNull:true,default:"0"},{table:"queue",column:"created_delta",type:"integer",notNull:true,default:"0"},
{table:"queue",column:"created_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"queue",column:"\
dead_letter",type:"text",notNull:false,default:null},{table:"queue",column:"deferred_count",type:"integer",notNull:true,
default:"0"},{table:"queue",column:"deletion_seconds",type:"integer",notNull:true,default:null},{table:"queue",column:"d\
elta_on",type:"timestamp with time zone",notNull:false,default:null},{table:"queue",column:"delta_seconds",type:"integer",
notNull:false,default:null},{table:"queue",column:"expire_seconds",type:"integer",notNull:true,default:null},{table:"que\
ue",column:"failed_count",type:"integer",notNull:true,default:"0"},{table:"queue",column:"failed_delta",type:"integer",notNull:true,
default:"0"},{table:"queue",column:"heartbeat_seconds",type:"integer",notNull:false,default:null},{table:"queue",column:"\
maintain_on",type:"timestamp with time zone",notNull:false,default:null},{table:"queue",column:"monitor_claim_on",type:"\
timestamp with time zone",notNull:false,default:null},{table:"queue",column:"monitor_on",type:"timestamp with time zone",
notNull:false,default:null},{table:"queue",column:"name",type:"text",notNull:true,default:null},{table:"queue",column:"n\
otify",type:"boolean",notNull:true,default:"false"},{table:"queue",column:"partition",type:"boolean",notNull:true,default:null},
{table:"queue",column:"policy",type:"text",notNull:true,default:null},{table:"queue",column:"queued_count",type:"integer",
notNull:true,default:"0"},{table:"queue",column:"ready_count",type:"integer",notNull:true,default:"0"},{table:"queue",column:"\
ready_history",type:"integer[]",notNull:true,default:"'{}'::integer[]"},{table:"queue",column:"retention_seconds",type:"\
integer",notNull:true,default:null},{table:"queue",column:"retry_backoff",type:"boolean",notNull:true,default:null},{table:"\
queue",column:"retry_delay",type:"integer",notNull:true,default:null},{table:"queue",column:"retry_delay_max",type:"inte\
ger",notNull:false,default:null},{table:"queue",column:"retry_limit",type:"integer",notNull:true,default:null},{table:"q\
ueue",column:"singletons_active",type:"text[]",notNull:false,default:null},{table:"queue",column:"table_name",type:"text",
notNull:true,default:null},{table:"queue",column:"total_count",type:"integer",notNull:true,default:"0"},{table:"queue",column:"\
updated_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"queue",column:"warning_queued",type:"i\
nteger",notNull:true,default:"0"},{table:"schedule",column:"created_on",type:"timestamp with time zone",notNull:true,default:"\
now()"},{table:"schedule",column:"cron",type:"text",notNull:true,default:null},{table:"schedule",column:"data",type:"jso\
nb",notNull:false,default:null},{table:"schedule",column:"key",type:"text",notNull:true,default:"''::text"},{table:"sche\
dule",column:"kind",type:"text",notNull:true,default:"'cron'::text"},{table:"schedule",column:"last_job_id",type:"uuid",
notNull:false,default:null},{table:"schedule",column:"name",type:"text",notNull:true,default:null},{table:"schedule",column:"\
options",type:"jsonb",notNull:false,default:null},{table:"schedule",column:"timezone",type:"text",notNull:false,default:"\
'UTC'::text"},{table:"schedule",column:"updated_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"\
subscription",column:"created_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"subscription",column:"\
event",type:"text",notNull:true,default:null},{table:"subscription",column:"name",type:"text",notNull:true,default:null},
{table:"subscription",column:"updated_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"version",
column:"bam_on",type:"timestamp with time zone",notNull:false,default:null},{table:"version",column:"cron_on",type:"time\
stamp with time zone",notNull:false,default:null},{table:"version",column:"flow_on",type:"timestamp with time zone",notNull:false,
default:null},{table:"version",column:"monitor_backoff_on",type:"timestamp with time zone",notNull:false,default:null},{
table:"version",column:"reindex_on",type:"timestamp with time zone",notNull:false,default:null},{table:"version",column:"\
version",type:"integer",notNull:true,default:null},{table:"warning",column:"created_on",type:"timestamp with time zone",
notNull:true,default:"now()"},{table:"warning",column:"data",type:"jsonb",notNull:false,default:null},{table:"warning",column:"\
id",type:"uuid",notNull:true,default:"gen_random_uuid()"},{table:"warning",column:"message",type:"text",notNull:true,default:null},
{table:"warning",column:"type",type:"text",notNull:true,default:null}],constraints:[{table:"bam",def:"PRIMARY KEY (id)"},
{table:"job_common",def:"CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))"},{table:"job_co\
mmon",def:"FOREIGN KEY (dead_letter) REFERENCES {{schema}}.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED"},
{table:"job_common",def:"FOREIGN KEY (name) REFERENCES {{schema}}.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DE\
FERRED"},{table:"job_common",def:"PRIMARY KEY (name, id)"},{table:"job_dependency",def:"PRIMARY KEY (child_name, child_i\
d, parent_name, parent_id)"},{table:"job",def:"PRIMARY KEY (name, id)"},{table:"queue_stats",def:"PRIMARY KEY (id, captu\
red_on)"},{table:"queue",def:"CHECK ((dead_letter IS DISTINCT FROM name))"},{table:"queue",def:"FOREIGN KEY (dead_letter\
) REFERENCES {{schema}}.queue(name)"},{table:"queue",def:"PRIMARY KEY (name)"},{table:"schedule",def:"CHECK ((kind = ANY\
 (ARRAY['cron'::text, 'rrule'::text])))"},{table:"schedule",def:"FOREIGN KEY (name) REFERENCES {{schema}}.queue(name) ON\
 DELETE CASCADE"},{table:"schedule",def:"PRIMARY KEY (name, key)"},{table:"subscription",def:"FOREIGN KEY (name) REFEREN\
CES {{schema}}.queue(name) ON DELETE CASCADE"},{table:"subscription",def:"PRIMARY KEY (event, name)"},{table:"version",def:"\
PRIMARY KEY (version)"},{table:"warning",def:"PRIMARY KEY (id)"}],indexes:[{name:"job_common_i1",table:"job_common",valid:true,
def:"CREATE UNIQUE INDEX job_common_i1 ON {{schema}}.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WH\
ERE ((state = 'created'::{{schema}}.job_state) AND (policy = 'short'::text))"},{name:"job_common_i10",table:"job_common",
valid:true,def:"CREATE INDEX job_common_i10 ON {{schema}}.job_common USING btree (name, singleton_key, state DESC, creat\
ed_on, id) INCLUDE (start_after) WHERE ((state < 'active'::{{schema}}.job_state) AND (NOT blocked) AND (policy = 'key_st\
rict_fifo'::text))"},{name:"job_common_i11",table:"job_common",valid:true,def:"CREATE INDEX job_common_i11 ON {{schema}}\
.job_common USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::{{schema}}.job_state) A\
ND (NOT blocked))"},{name:"job_common_i12",table:"job_common",valid:true,def:"CREATE INDEX job_common_i12 ON {{schema}}.\
job_common USING btree (source_root_id) WHERE (source_root_id IS NOT NULL)"},{name:"job_common_i2",table:"job_common",valid:true,
def:"CREATE UNIQUE INDEX job_common_i2 ON {{schema}}.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WH\
ERE ((state = 'active'::{{schema}}.job_state) AND (policy = 'singleton'::text))"},{name:"job_common_i3",table:"job_commo\
n",valid:true,def:"CREATE UNIQUE INDEX job_common_i3 ON {{schema}}.job_common USING btree (name, state, COALESCE(singlet\
on_key, ''::text)) WHERE ((state <= 'active'::{{schema}}.job_state) AND (policy = 'stately'::text))"},{name:"job_common_\
i4",table:"job_common",valid:true,def:"CREATE UNIQUE INDEX job_common_i4 ON {{schema}}.job_common USING btree (name, sin\
gleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::{{schema}}.job_state) AND (singleton_on IS N\
OT NULL))"},{name:"job_common_i6",table:"job_common",valid:true,def:"CREATE UNIQUE INDEX job_common_i6 ON {{schema}}.job\
_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::{{schema}}.job_state) AND (poli\
cy = 'exclusive'::text))"},{name:"job_common_i7",table:"job_common",valid:true,def:"CREATE INDEX job_common_i7 ON {{sche\
ma}}.job_common USING btree (name, group_id) WHERE ((state = 'active'::{{schema}}.job_state) AND (group_id IS NOT NULL))"},
{name:"job_common_i8",table:"job_common",valid:true,def:"CREATE UNIQUE INDEX job_common_i8 ON {{schema}}.job_common USIN\
G btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::{{schema}}.job_state, 'retry'::{{schema}}.job_state, \
'failed'::{{schema}}.job_state])) AND (policy = 'key_strict_fifo'::text))"},{name:"job_common_i9",table:"job_common",valid:true,
def:"CREATE INDEX job_common_i9 ON {{schema}}.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'\
::{{schema}}.job_state))"},{name:"job_dep_parent_idx",table:"job_dependency",valid:true,def:"CREATE INDEX job_dep_parent\
_idx ON {{schema}}.job_dependency USING btree (parent_name, parent_id)"},{name:"queue_stats_i1",table:"queue_stats",valid:true,
def:"CREATE INDEX queue_stats_i1 ON ONLY {{schema}}.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_c\
ount, queued_count, ready_count, active_count, failed_count, total_count)"},{name:"warning_i1",table:"warning",valid:true,
def:"CREATE INDEX warning_i1 ON {{schema}}.warning USING btree (created_on DESC)"}],functions:[{name:"create_queue",def:"\
CREATE OR REPLACE FUNCTION {{schema}}.create_queue(queue_name text, options jsonb)\n RETURNS void\n LANGUAGE plpgsql\nAS $f\
unction$\n    DECLARE\n      tablename varchar := CASE WHEN options->>'partition' = 'true'\n                            THE\
N 'j' || encode(sha224(queue_name::bytea), 'hex')\n                            ELSE 'job_common'\n                        \
    END;\n      queue_created_on timestamptz;\n    BEGIN\n\n      WITH q as (\n        INSERT INTO {{schema}}.queue (\n       \
   name,\n          policy,\n          retry_limit,\n          retry_delay,\n          retry_backoff,\n          retry_delay_\
max,\n          expire_seconds,\n          retention_seconds,\n          deletion_seconds,\n          warning_queued,\n      \
    dead_letter,\n          partition,\n          table_name,\n          heartbeat_seconds,\n          notify,\n          cre\
ated_on,\n          updated_on\n        )\n        VALUES (\n          queue_name,\n          options->>'policy',\n          C\
OALESCE((options->>'retryLimit')::int, 2),\n          COALESCE((options->>'retryDelay')::int, 0),\n          COALESCE((opt\
ions->>'retryBackoff')::bool, false),\n          (options->>'retryDelayMax')::int,\n          COALESCE((options->>'expireI\
nSeconds')::int, 900),\n          COALESCE((options->>'retentionSeconds')::int, 1209600),\n          COALESCE((options->>'\
deleteAfterSeconds')::int, 604800),\n          COALESCE((options->>'warningQueueSize')::int, 0),\n          options->>'dea\
dLetter',\n          COALESCE((options->>'partition')::bool, false),\n          tablename,\n          (options->>'heartbeat\
Seconds')::int,\n          COALESCE((options->>'notify')::bool, false),\n          {{schema}}.job_now(),\n          {{schem\
a}}.job_now()\n        )\n        ON CONFLICT DO NOTHING\n        RETURNING created_on\n      )\n      SELECT created_on into\
 queue_created_on from q;\n\n      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN\n     \
   RETURN;\n      END IF;\n\n      EXECUTE format('CREATE TABLE {{schema}}.%I (LIKE {{schema}}.job INCLUDING DEFAULTS)', ta\
blename);\n\n      EXECUTE {{schema}}.job_table_format($cmd$ALTER TABLE {{schema}}.job ADD PRIMARY KEY (name, id)$cmd$, ta\
blename);\n      EXECUTE {{schema}}.job_table_format($cmd$ALTER TABLE {{schema}}.job ADD CONSTRAINT q_fkey FOREIGN KEY (n\
ame) REFERENCES {{schema}}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);\n      EXECUTE\
 {{schema}}.job_table_format($cmd$ALTER TABLE {{schema}}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCE\
S {{schema}}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);\n\n      EXECUTE {{schema}}.j\
ob_table_format($cmd$CREATE INDEX job_i11 ON {{schema}}.job (name, priority DESC, created_on, start_after) WHERE state <\
 'active' AND NOT blocked$cmd$, tablename);\n      EXECUTE {{schema}}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON\
 {{schema}}.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NUL\
L$cmd$, tablename);\n      EXECUTE {{schema}}.job_table_format($cmd$CREATE INDEX job_i7 ON {{schema}}.job (name, group_id\
) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);\n      EXECUTE {{schema}}.job_table_format($cmd$CREAT\
E INDEX job_i9 ON {{schema}}.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);\n      EXECUTE {{sch\
ema}}.job_table_format($cmd$CREATE INDEX job_i12 ON {{schema}}.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd\
$, tablename);\n\n      IF options->>'policy' = 'short' THEN\n        EXECUTE {{schema}}.job_table_format($cmd$CREATE UNIQU\
E INDEX job_i1 ON {{schema}}.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, \
tablename);\n      ELSIF options->>'policy' = 'singleton' THEN\n        EXECUTE {{schema}}.job_table_format($cmd$CREATE UN\
IQUE INDEX job_i2 ON {{schema}}.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$\
cmd$, tablename);\n      ELSIF options->>'policy' = 'stately' THEN\n        EXECUTE {{schema}}.job_table_format($cmd$CREAT\
E UNIQUE INDEX job_i3 ON {{schema}}.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = \
'stately'$cmd$, tablename);\n      ELSIF options->>'policy' = 'exclusive' THEN\n        EXECUTE {{schema}}.job_table_forma\
t($cmd$CREATE UNIQUE INDEX job_i6 ON {{schema}}.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND poli\
cy = 'exclusive'$cmd$, tablename);\n      ELSIF options->>'policy' = 'key_strict_fifo' THEN\n        EXECUTE {{schema}}.jo\
b_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON {{schema}}.job (name, singleton_key) WHERE state IN ('active', 'retry'\
, 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);\n        EXECUTE {{schema}}.job_table_format($cmd$CREATE IND\
EX job_i10 ON {{schema}}.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'acti\
ve' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);\n        EXECUTE {{schema}}.job_table_format($cmd$AL\
TER TABLE {{schema}}.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' A\
ND singleton_key IS NULL))$cmd$, tablename);\n      END IF;\n\n      EXECUTE format('ALTER TABLE {{schema}}.%I ADD CONSTRAI\
NT cjc CHECK (name=%L)', tablename, queue_name);\n      EXECUTE format('ALTER TABLE {{schema}}.job ATTACH PARTITION {{sch\
ema}}.%I FOR VALUES IN (%L)', tablename, queue_name);\n    END;\n    $function$\n"},{name:"delete_queue",def:"CREATE OR \
REPLACE FUNCTION {{schema}}.delete_queue(queue_name text)\n RETURNS void\n LANGUAGE plpgsql\nAS $function$\n    DECLARE\n    \
  v_table varchar;\n      v_partition bool;\n    BEGIN\n      \n      SELECT table_name, partition\n      FROM {{schema}}.que\
ue\n      WHERE name = queue_name\n      INTO v_table, v_partition;\n\n      IF v_partition THEN\n        EXECUTE format('DRO\
P TABLE IF EXISTS {{schema}}.%I', v_table);\n      ELSE\n        EXECUTE format('DELETE FROM {{schema}}.%I WHERE name = %L\
', v_table, queue_name);\n      END IF;\n    \n      DELETE FROM {{schema}}.queue WHERE name = queue_name;\n    END;\n    $fu\
nction$\n"},{name:"job_now",def:"CREATE OR REPLACE FUNCTION {{schema}}.job_now()\n RETURNS timestamp with time zone\n LANG\
UAGE sql\n STABLE\nAS $function$\n      SELECT pg_catalog.now();\n    $function$\n"},{name:"job_table_format",def:"CREAT\
E OR REPLACE FUNCTION {{schema}}.job_table_format(command text, table_name text)\n RETURNS text\n LANGUAGE sql\n IMMUTABLE\n\
AS $function$\n      SELECT format(\n        regexp_replace(\n          regexp_replace(command, '\\.job\\y', '.%1$I', 'g'),\n \
         '\\yjob_i(\\d+)', '%1$s_i\\1', 'g'\n        ),\n        table_name\n      );\n    $function$\n"},{name:"job_tab\
le_run",def:"CREATE OR REPLACE FUNCTION {{schema}}.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_n\
ame text DEFAULT NULL::text)\n RETURNS void\n LANGUAGE plpgsql\nAS $function$\n    DECLARE\n      tbl RECORD;\n    BEGIN\n     \
 IF queue_name IS NOT NULL THEN\n        SELECT table_name INTO tbl_name FROM {{schema}}.queue WHERE name = queue_name;\n \
     END IF;\n\n      IF tbl_name IS NOT NULL THEN\n        EXECUTE {{schema}}.job_table_format(command, tbl_name);\n       \
 RETURN;\n      END IF;\n\n      EXECUTE {{schema}}.job_table_format(command, 'job_common');\n\n      FOR tbl IN SELECT table\
_name FROM {{schema}}.queue WHERE partition = true\n      LOOP\n        EXECUTE {{schema}}.job_table_format(command, tbl.t\
able_name);\n      END LOOP;\n    END;\n    $function$\n"},{name:"job_table_run_async",def:"CREATE OR REPLACE FUNCTION {\
{schema}}.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_\
name text DEFAULT NULL::text)\n RETURNS void\n LANGUAGE plpgsql\nAS $function$\n    BEGIN\n      IF queue_name IS NOT NULL TH\
EN\n        SELECT table_name INTO tbl_name FROM {{schema}}.queue WHERE name = queue_name;\n      END IF;\n\n      IF tbl_na\
me IS NOT NULL THEN\n        INSERT INTO {{schema}}.bam (name, version, status, queue, table_name, command)\n        VALUE\
S (\n          command_name,\n          version,\n          'pending',\n          queue_name,\n          tbl_name,\n          \
{{schema}}.job_table_format(command, tbl_name)\n        );\n        RETURN;\n      END IF;\n\n      INSERT INTO {{schema}}.ba\
m (name, version, status, queue, table_name, command)\n      SELECT\n        command_name,\n        version,\n        'pendi\
ng',\n        NULL,\n        'job_common',\n        {{schema}}.job_table_format(command, 'job_common')\n      UNION ALL\n    \
  SELECT\n        command_name,\n        version,\n        'pending',\n        queue.name,\n        queue.table_name,\n       \
 {{schema}}.job_table_format(command, queue.table_name)\n      FROM {{schema}}.queue\n      WHERE partition = true;\n    EN\
D;\n    $function$\n"}],enum:["created","retry","active","completed","cancelled","failed"]},nonPartitioned:{tables:["bam",
"job","job_dependency","queue","queue_stats","schedule","subscription","version","warning"],columns:[{table:"bam",column:"\
command",type:"text",notNull:true,default:null},{table:"bam",column:"completed_on",type:"timestamp with time zone",notNull:false,
default:null},{table:"bam",column:"created_on",type:"timestamp with time zone",notNull:true,default:"clock_timestamp()"},
{table:"bam",column:"error",type:"text",notNull:false,default:null},{table:"bam",column:"id",type:"uuid",notNull:true,default:"\
gen_random_uuid()"},{table:"bam",column:"name",type:"text",notNull:true,default:null},{table:"bam",column:"queue",type:"\
text",notNull:false,default:null},{table:"bam",column:"started_on",type:"timestamp with time zone",notNull:false,default:null},
{table:"bam",column:"status",type:"text",notNull:true,default:"'pending'::text"},{table:"bam",column:"table_name",type:"\
text",notNull:true,default:null},{table:"bam",column:"version",type:"integer",notNull:true,default:null},{table:"job_dep\
endency",column:"child_id",type:"uuid",notNull:true,default:null},{table:"job_dependency",column:"child_name",type:"text",
notNull:true,default:null},{table:"job_dependency",column:"parent_id",type:"uuid",notNull:true,default:null},{table:"job\
_dependency",column:"parent_name",type:"text",notNull:true,default:null},{table:"job",column:"blocked",type:"boolean",notNull:true,
default:"false"},{table:"job",column:"blocking",type:"boolean",notNull:true,default:"false"},{table:"job",column:"comple\
ted_on",type:"timestamp with time zone",notNull:false,default:null},{table:"job",column:"created_on",type:"timestamp wit\
h time zone",notNull:true,default:"now()"},{table:"job",column:"data",type:"jsonb",notNull:false,default:null},{table:"j\
ob",column:"dead_letter",type:"text",notNull:false,default:null},{table:"job",column:"deletion_seconds",type:"integer",notNull:true,
default:"604800"},{table:"job",column:"expire_seconds",type:"integer",notNull:true,default:"900"},{table:"job",column:"g\
roup_id",type:"text",notNull:false,default:null},{table:"job",column:"group_tier",type:"text",notNull:false,default:null},
{table:"job",column:"heartbeat_on",type:"timestamp with time zone",notNull:false,default:null},{table:"job",column:"hear\
tbeat_seconds",type:"integer",notNull:false,default:null},{table:"job",column:"id",type:"uuid",notNull:true,default:"gen\
_random_uuid()"},{table:"job",column:"keep_until",type:"timestamp with time zone",notNull:true,default:"(now() + '336:00\
:00'::interval)"},{table:"job",column:"name",type:"text",notNull:true,default:null},{table:"job",column:"output",type:"j\
sonb",notNull:false,default:null},{table:"job",column:"pending_dependencies",type:"integer",notNull:true,default:"0"},{table:"\
job",column:"policy",type:"text",notNull:false,default:null},{table:"job",column:"priority",type:"integer",notNull:true,
default:"0"},{table:"job",column:"retry_backoff",type:"boolean",notNull:true,default:"false"},{table:"job",column:"retry\
_count",type:"integer",notNull:true,default:"0"},{table:"job",column:"retry_delay",type:"integer",notNull:true,default:"\
0"},{table:"job",column:"retry_delay_max",type:"integer",notNull:false,default:null},{table:"job",column:"retry_limit",type:"\
integer",notNull:true,default:"2"},{table:"job",column:"singleton_key",type:"text",notNull:false,default:null},{table:"j\
ob",column:"singleton_on",type:"timestamp without time zone",notNull:false,default:null},{table:"job",column:"source_cre\
ated_on",type:"timestamp with time zone",notNull:false,default:null},{table:"job",column:"source_id",type:"uuid",notNull:false,
default:null},{table:"job",column:"source_name",type:"text",notNull:false,default:null},{table:"job",column:"source_outp\
ut",type:"jsonb",notNull:false,default:null},{table:"job",column:"source_retry_count",type:"integer",notNull:false,default:null},
{table:"job",column:"source_root_id",type:"uuid",notNull:false,default:null},{table:"job",column:"start_after",type:"tim\
estamp with time zone",notNull:true,default:"now()"},{table:"job",column:"started_on",type:"timestamp with time zone",notNull:false,
default:null},{table:"job",column:"state",type:"{{schema}}.job_state",notNull:true,default:"'created'::{{schema}}.job_st\
ate"},{table:"queue_stats",column:"active_count",type:"integer",notNull:true,default:"0"},{table:"queue_stats",column:"c\
aptured_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"queue_stats",column:"completed_delta",
type:"integer",notNull:false,default:null},{table:"queue_stats",column:"created_delta",type:"integer",notNull:false,default:null},
{table:"queue_stats",column:"deferred_count",type:"integer",notNull:true,default:"0"},{table:"queue_stats",column:"delta\
_on",type:"timestamp with time zone",notNull:false,default:null},{table:"queue_stats",column:"delta_seconds",type:"integ\
er",notNull:false,default:null},{table:"queue_stats",column:"failed_count",type:"integer",notNull:true,default:"0"},{table:"\
queue_stats",column:"failed_delta",type:"integer",notNull:false,default:null},{table:"queue_stats",column:"id",type:"uui\
d",notNull:true,default:"gen_random_uuid()"},{table:"queue_stats",column:"name",type:"text",notNull:true,default:null},{
table:"queue_stats",column:"queued_count",type:"integer",notNull:true,default:"0"},{table:"queue_stats",column:"ready_co\
unt",type:"integer",notNull:true,default:"0"},{table:"queue_stats",column:"total_count",type:"integer",notNull:true,default:"\
0"},{table:"queue",column:"active_count",type:"integer",notNull:true,default:"0"},{table:"queue",column:"completed_delta",
type:"integer",notNull:true,default:"0"},{table:"queue",column:"created_delta",type:"integer",notNull:true,default:"0"},
{table:"queue",column:"created_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"queue",column:"\
dead_letter",type:"text",notNull:false,default:null},{table:"queue",column:"deferred_count",type:"integer",notNull:true,
default:"0"},{table:"queue",column:"deletion_seconds",type:"integer",notNull:true,default:null},{table:"queue",column:"d\
elta_on",type:"timestamp with time zone",notNull:false,default:null},{table:"queue",column:"delta_seconds",type:"integer",
notNull:false,default:null},{table:"queue",column:"expire_seconds",type:"integer",notNull:true,default:null},{table:"que\
ue",column:"failed_count",type:"integer",notNull:true,default:"0"},{table:"queue",column:"failed_delta",type:"integer",notNull:true,
default:"0"},{table:"queue",column:"heartbeat_seconds",type:"integer",notNull:false,default:null},{table:"queue",column:"\
maintain_on",type:"timestamp with time zone",notNull:false,default:null},{table:"queue",column:"monitor_claim_on",type:"\
timestamp with time zone",notNull:false,default:null},{table:"queue",column:"monitor_on",type:"timestamp with time zone",
notNull:false,default:null},{table:"queue",column:"name",type:"text",notNull:true,default:null},{table:"queue",column:"n\
otify",type:"boolean",notNull:true,default:"false"},{table:"queue",column:"partition",type:"boolean",notNull:true,default:null},
{table:"queue",column:"policy",type:"text",notNull:true,default:null},{table:"queue",column:"queued_count",type:"integer",
notNull:true,default:"0"},{table:"queue",column:"ready_count",type:"integer",notNull:true,default:"0"},{table:"queue",column:"\
ready_history",type:"integer[]",notNull:true,default:"'{}'::integer[]"},{table:"queue",column:"retention_seconds",type:"\
integer",notNull:true,default:null},{table:"queue",column:"retry_backoff",type:"boolean",notNull:true,default:null},{table:"\
queue",column:"retry_delay",type:"integer",notNull:true,default:null},{table:"queue",column:"retry_delay_max",type:"inte\
ger",notNull:false,default:null},{table:"queue",column:"retry_limit",type:"integer",notNull:true,default:null},{table:"q\
ueue",column:"singletons_active",type:"text[]",notNull:false,default:null},{table:"queue",column:"table_name",type:"text",
notNull:true,default:null},{table:"queue",column:"total_count",type:"integer",notNull:true,default:"0"},{table:"queue",column:"\
updated_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"queue",column:"warning_queued",type:"i\
nteger",notNull:true,default:"0"},{table:"schedule",column:"created_on",type:"timestamp with time zone",notNull:true,default:"\
now()"},{table:"schedule",column:"cron",type:"text",notNull:true,default:null},{table:"schedule",column:"data",type:"jso\
nb",notNull:false,default:null},{table:"schedule",column:"key",type:"text",notNull:true,default:"''::text"},{table:"sche\
dule",column:"kind",type:"text",notNull:true,default:"'cron'::text"},{table:"schedule",column:"last_job_id",type:"uuid",
notNull:false,default:null},{table:"schedule",column:"name",type:"text",notNull:true,default:null},{table:"schedule",column:"\
options",type:"jsonb",notNull:false,default:null},{table:"schedule",column:"timezone",type:"text",notNull:false,default:"\
'UTC'::text"},{table:"schedule",column:"updated_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"\
subscription",column:"created_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"subscription",column:"\
event",type:"text",notNull:true,default:null},{table:"subscription",column:"name",type:"text",notNull:true,default:null},
{table:"subscription",column:"updated_on",type:"timestamp with time zone",notNull:true,default:"now()"},{table:"version",
column:"bam_on",type:"timestamp with time zone",notNull:false,default:null},{table:"version",column:"cron_on",type:"time\
stamp with time zone",notNull:false,default:null},{table:"version",column:"flow_on",type:"timestamp with time zone",notNull:false,
default:null},{table:"version",column:"monitor_backoff_on",type:"timestamp with time zone",notNull:false,default:null},{
table:"version",column:"reindex_on",type:"timestamp with time zone",notNull:false,default:null},{table:"version",column:"\
version",type:"integer",notNull:true,default:null},{table:"warning",column:"created_on",type:"timestamp with time zone",
notNull:true,default:"now()"},{table:"warning",column:"data",type:"jsonb",notNull:false,default:null},{table:"warning",column:"\
id",type:"uuid",notNull:true,default:"gen_random_uuid()"},{table:"warning",column:"message",type:"text",notNull:true,default:null},
{table:"warning",column:"type",type:"text",notNull:true,default:null}],constraints:[{table:"bam",def:"PRIMARY KEY (id)"},
{table:"job_dependency",def:"PRIMARY KEY (child_name, child_id, parent_name, parent_id)"},{table:"job",def:"CHECK ((NOT \
((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))"},{table:"job",def:"FOREIGN KEY (dead_letter) REFEREN\
CES {{schema}}.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED"},{table:"job",def:"FOREIGN KEY (name) REFER\
ENCES {{schema}}.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED"},{table:"job",def:"PRIMARY KEY (name, id)"},
{table:"queue_stats",def:"PRIMARY KEY (id)"},{table:"queue",def:"CHECK ((dead_letter IS DISTINCT FROM name))"},{table:"q\
ueue",def:"FOREIGN KEY (dead_letter) REFERENCES {{schema}}.queue(name)"},{table:"queue",def:"PRIMARY KEY (name)"},{table:"\
schedule",def:"CHECK ((kind = ANY (ARRAY['cron'::text, 'rrule'::text])))"},{table:"schedule",def:"FOREIGN KEY (name) REF\
ERENCES {{schema}}.queue(name) ON DELETE CASCADE"},{table:"schedule",def:"PRIMARY KEY (name, key)"},{table:"subscription",
def:"FOREIGN KEY (name) REFERENCES {{schema}}.queue(name) ON DELETE CASCADE"},{table:"subscription",def:"PRIMARY KEY (ev\
ent, name)"},{table:"version",def:"PRIMARY KEY (version)"},{table:"warning",def:"PRIMARY KEY (id)"}],indexes:[{name:"job\
_dep_parent_idx",table:"job_dependency",valid:true,def:"CREATE INDEX job_dep_parent_idx ON {{schema}}.job_dependency USI\
NG btree (parent_name, parent_id)"},{name:"job_i1",table:"job",valid:true,def:"CREATE UNIQUE INDEX job_i1 ON {{schema}}.\
job USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::{{schema}}.job_state) AND (policy =\
 'short'::text))"},{name:"job_i10",table:"job",valid:true,def:"CREATE INDEX job_i10 ON {{schema}}.job USING btree (name,\
 singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::{{schema}}.job_state) AND (N\
OT blocked) AND (policy = 'key_strict_fifo'::text))"},{name:"job_i11",table:"job",valid:true,def:"CREATE INDEX job_i11 O\
N {{schema}}.job USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::{{schema}}.job_sta\
te) AND (NOT blocked))"},{name:"job_i12",table:"job",valid:true,def:"CREATE INDEX job_i12 ON {{schema}}.job USING btree \
(source_root_id) WHERE (source_root_id IS NOT NULL)"},{name:"job_i2",table:"job",valid:true,def:"CREATE UNIQUE INDEX job\
_i2 ON {{schema}}.job USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::{{schema}}.job_sta\
te) AND (policy = 'singleton'::text))"},{name:"job_i3",table:"job",valid:true,def:"CREATE UNIQUE INDEX job_i3 ON {{schem\
a}}.job USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::{{schema}}.job_state) AN\
D (policy = 'stately'::text))"},{name:"job_i4",table:"job",valid:true,def:"CREATE UNIQUE INDEX job_i4 ON {{schema}}.job \
USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::{{schema}}.job_state) \
AND (singleton_on IS NOT NULL))"},{name:"job_i6",table:"job",valid:true,def:"CREATE UNIQUE INDEX job_i6 ON {{schema}}.jo\
b USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::{{schema}}.job_state) AND (policy = '\
exclusive'::text))"},{name:"job_i7",table:"job",valid:true,def:"CREATE INDEX job_i7 ON {{schema}}.job USING btree (name,\
 group_id) WHERE ((state = 'active'::{{schema}}.job_state) AND (group_id IS NOT NULL))"},{name:"job_i8",table:"job",valid:true,
def:"CREATE UNIQUE INDEX job_i8 ON {{schema}}.job USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active':\
:{{schema}}.job_state, 'retry'::{{schema}}.job_state, 'failed'::{{schema}}.job_state])) AND (policy = 'key_strict_fifo':\
:text))"},{name:"job_i9",table:"job",valid:true,def:"CREATE INDEX job_i9 ON {{schema}}.job USING btree (name, id) WHERE \
(blocking AND (state = 'completed'::{{schema}}.job_state))"},{name:"queue_stats_i1",table:"queue_stats",valid:true,def:"\
CREATE INDEX queue_stats_i1 ON {{schema}}.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queu\
ed_count, ready_count, active_count, failed_count, total_count)"},{name:"warning_i1",table:"warning",valid:true,def:"CRE\
ATE INDEX warning_i1 ON {{schema}}.warning USING btree (created_on DESC)"}],functions:[{name:"create_queue",def:"CREATE \
OR REPLACE FUNCTION {{schema}}.create_queue(queue_name text, options jsonb)\n RETURNS void\n LANGUAGE plpgsql\nAS $function\
$\n      BEGIN\n        INSERT INTO {{schema}}.queue (\n          name,\n          policy,\n          retry_limit,\n          \
retry_delay,\n          retry_backoff,\n          retry_delay_max,\n          expire_seconds,\n          retention_seconds,\n\
          deletion_seconds,\n          warning_queued,\n          dead_letter,\n          partition,\n          table_name,\n\
          heartbeat_seconds,\n          created_on,\n          updated_on\n        )\n        VALUES (\n          queue_name,\
\n          options->>'policy',\n          COALESCE((options->>'retryLimit')::int, 2),\n          COALESCE((options->>'retr\
yDelay')::int, 0),\n          COALESCE((options->>'retryBackoff')::bool, false),\n          (options->>'retryDelayMax')::i\
nt,\n          COALESCE((options->>'expireInSeconds')::int, 900),\n          COALESCE((options->>'retentionSeconds')::int,\
 1209600),\n          COALESCE((options->>'deleteAfterSeconds')::int, 604800),\n          COALESCE((options->>'warningQueu\
eSize')::int, 0),\n          options->>'deadLetter',\n          false,\n          'job',\n          (options->>'heartbeatSec\
onds')::int,\n          {{schema}}.job_now(),\n          {{schema}}.job_now()\n        )\n        ON CONFLICT DO NOTHING;\n  \
    END;\n      $function$\n"},{name:"delete_queue",def:"CREATE OR REPLACE FUNCTION {{schema}}.delete_queue(queue_name t\
ext)\n RETURNS void\n LANGUAGE plpgsql\nAS $function$\n    BEGIN\n      DELETE FROM {{schema}}.job WHERE name = queue_name;\n \
     DELETE FROM {{schema}}.queue WHERE name = queue_name;\n    END;\n    $function$\n"},{name:"job_now",def:"CREATE OR \
REPLACE FUNCTION {{schema}}.job_now()\n RETURNS timestamp with time zone\n LANGUAGE sql\n STABLE\nAS $function$\n      SELECT\
 pg_catalog.now();\n    $function$\n"}],enum:["created","retry","active","completed","cancelled","failed"]}};var PG_ERROR={divisionByZero:"22012"};var DEFAULT_SCHEMA="pgboss";var MIGRATE_RACE_MESSAGE="division by zero";var CREATE_RACE_MESSAGE="\
already exists";var SINGLE_QUOTE_REGEX2=/'/g;var FIFTEEN_MINUTES=60*15;var FORTEEN_DAYS=60*60*24*14;var SEVEN_DAYS=60*60*
24*7;var BAM_STALE_SECONDS=60*60*24;var BAM_LIVENESS_GRACE_SECONDS=60*5;var JOB_STATES=Object.freeze({created:"created",
retry:"retry",active:"active",completed:"completed",cancelled:"cancelled",failed:"failed"});var QUEUE_POLICIES=Object.freeze(
{standard:"standard",short:"short",singleton:"singleton",stately:"stately",exclusive:"exclusive",key_strict_fifo:"key_st\
rict_fifo"});var SCHEDULE_KINDS=Object.freeze({cron:"cron",rrule:"rrule"});var SCHEDULE_MISSED_POLICIES=Object.freeze({skip:"\
skip",once:"once"});var QUEUE_DEFAULTS={expire_seconds:FIFTEEN_MINUTES,retention_seconds:FORTEEN_DAYS,deletion_seconds:SEVEN_DAYS,
retry_limit:2,retry_delay:0,warning_queued:0,retry_backoff:false,partition:false};var BASE_JOB_TABLE="job";var COMMON_JOB_TABLE="\
job_common";var SERVER_VERSION="SELECT version() AS version";function inlineIntoCreateTable(createTable,statements){const clauses=statements.
flatMap(statement=>statement.split(";")).map(statement=>statement.trim().replace(/\s+/g," ")).filter(Boolean).map(statement=>{
let m2=statement.match(/^ALTER TABLE \S+ ADD PRIMARY KEY (\(.+\))$/i);if(m2)return`PRIMARY KEY ${m2[1]}`;m2=statement.match(
/^ALTER TABLE \S+ ADD CONSTRAINT (\S+) (.+)$/i);if(m2)return`CONSTRAINT ${m2[1]} ${m2[2]}`;m2=statement.match(/^CREATE (UNIQUE )?INDEX (?:IF NOT EXISTS )?(\S+) ON \S+ (\(.+)$/i);
if(m2){assert(!/\bINCLUDE\s*\(/i.test(m2[3]),`inlineIntoCreateTable: covering index ${m2[2]} has no inline form`);return`${m2[1]??
""}INDEX ${m2[2]} ${m2[3]}`}throw new Error(`inlineIntoCreateTable: cannot inline: ${statement}`)});const close=createTable.
lastIndexOf(")");assert(close>0,"inlineIntoCreateTable: no column list to extend");return`${createTable.slice(0,close).trimEnd()}\
,
      ${clauses.join(",\n      ")}
    ${createTable.slice(close)}`}function create(schema,version,options){const noPartitioning=options?.noTablePartitioning??
false;const noDeferrable=options?.noDeferrableConstraints??false;const noLocks=options?.noAdvisoryLocks??false;const noCovering=options?.
noCoveringIndexes??false;const inline=(options?.inlineTableIndexes??false)&&noPartitioning;if(inline){return locked(schema,
createInline(schema,version,{createSchema:options?.createSchema,noDeferrable,noCovering}),void 0,noLocks)}const commands=[
options?.createSchema?createSchema(schema):"",createEnumJobState(schema),createClockFunction(schema),createTableVersion(
schema),createTableQueue(schema),createTableSchedule(schema),createTableSubscription(schema),createTableBam(schema),noPartitioning?
"":jobTableFormatFunction(schema),noPartitioning?"":jobTableRunFunction(schema),noPartitioning?"":jobTableRunAsyncFunction(
schema),createTableJob(schema,noPartitioning),createPrimaryKeyJob(schema),noPartitioning?createTableJobIndexes(schema,noDeferrable,
noCovering):createTableJobCommon(schema),createTableWarning(schema),createIndexWarning(schema),createTableQueueStats(schema,
noPartitioning),createIndexQueueStats(schema,noCovering),noPartitioning?"":ensureQueueStatsPartitions(schema),createTableJobDependency(
schema),createIndexJobDependencyParent(schema),createQueueFunction(schema,noPartitioning),deleteQueueFunction(schema,noPartitioning),
insertVersion(schema,version)];return locked(schema,commands,void 0,noLocks)}function createInline(schema,version,options){
return[options.createSchema?createSchema(schema):"",createEnumJobState(schema),createClockFunction(schema),createTableVersion(
schema),createTableQueue(schema),createTableSchedule(schema),createTableSubscription(schema),createTableBam(schema),inlineIntoCreateTable(
createTableJob(schema,true),[createPrimaryKeyJob(schema),createTableJobIndexes(schema,options.noDeferrable,options.noCovering)]),
inlineIntoCreateTable(createTableWarning(schema),[createIndexWarning(schema)]),inlineIntoCreateTable(createTableQueueStats(
schema,true),[createIndexQueueStats(schema,options.noCovering)]),inlineIntoCreateTable(createTableJobDependency(schema),
[createIndexJobDependencyParent(schema)]),createQueueFunction(schema,true),deleteQueueFunction(schema,true),insertVersion(
schema,version)]}function createSchema(schema){return`CREATE SCHEMA IF NOT EXISTS ${schema}`}function createEnumJobState(schema){
return`
    CREATE TYPE ${schema}.job_state AS ENUM (
      '${JOB_STATES.created}',
      '${JOB_STATES.retry}',
      '${JOB_STATES.active}',
      '${JOB_STATES.completed}',
      '${JOB_STATES.cancelled}',
      '${JOB_STATES.failed}'
    )
  `}var CLOCK_FUNCTION_BODY="SELECT pg_catalog.now();";var CLOCK_OVERRIDE_SETTING="pgboss.test_clock";function clockTable(schema){
return`${schema}.__pgboss_test_clock`}function clockOverrideBody(schema){return`SELECT COALESCE(CASE WHEN current_settin\
g('${CLOCK_OVERRIDE_SETTING}', true) = 'on' THEN (SELECT c.now FROM ${clockTable(schema)} c LIMIT 1) END, pg_catalog.now\
());`}function enableClockOverride(){return`SET ${CLOCK_OVERRIDE_SETTING} = 'on'`}function getClockFunctionSource(schema){return`
    SELECT p.prosrc AS source
    FROM pg_proc p
    JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX2,"''")}'
      AND p.proname = 'job_now'
  `}function clockFunctionIsOverridden(source){return!!source?.includes(CLOCK_OVERRIDE_SETTING)}function restoreClockFunction(schema){
return`
    ${createClockFunction(schema,{replace:true})}
    DROP TABLE IF EXISTS ${clockTable(schema)};
  `}function createClockFunction(schema,options={}){const{replace=false,body=CLOCK_FUNCTION_BODY}=options;return`
    CREATE ${replace?"OR REPLACE ":""}FUNCTION ${schema}.job_now()
    RETURNS timestamp with time zone AS
    $$
      ${body}
    $$
    LANGUAGE sql STABLE;
  `}function createTableVersion(schema){return`
    CREATE TABLE ${schema}.version (
      version int primary key,
      cron_on timestamp with time zone,
      bam_on timestamp with time zone,
      flow_on timestamp with time zone,
      reindex_on timestamp with time zone,
      monitor_backoff_on timestamp with time zone
    )
  `}function createTableQueue(schema){return`
    CREATE TABLE ${schema}.queue (
      name text NOT NULL,
      policy text NOT NULL,
      retry_limit int NOT NULL,
      retry_delay int NOT NULL,
      retry_backoff bool NOT NULL,
      retry_delay_max int,
      expire_seconds int NOT NULL,
      retention_seconds int NOT NULL,
      deletion_seconds int NOT NULL,
      dead_letter text REFERENCES ${schema}.queue (name) CHECK (dead_letter IS DISTINCT FROM name),
      partition bool NOT NULL,
      table_name text NOT NULL,
      deferred_count int NOT NULL default 0,
      queued_count int NOT NULL default 0,
      ready_count int NOT NULL default 0,
      warning_queued int NOT NULL default 0,
      active_count int NOT NULL default 0,
      failed_count int NOT NULL default 0,
      total_count int NOT NULL default 0,
      created_delta int NOT NULL default 0,
      completed_delta int NOT NULL default 0,
      failed_delta int NOT NULL default 0,
      delta_on timestamp with time zone,
      delta_seconds int,
      ready_history int[] NOT NULL default '{}',
      heartbeat_seconds int,
      notify bool NOT NULL DEFAULT false,
      singletons_active text[],
      monitor_claim_on timestamp with time zone,
      monitor_on timestamp with time zone,
      maintain_on timestamp with time zone,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      PRIMARY KEY (name)
    )
  `}function createTableSchedule(schema){return`
    CREATE TABLE ${schema}.schedule (
      name text REFERENCES ${schema}.queue ON DELETE CASCADE,
      key text not null DEFAULT '',
      kind text not null DEFAULT '${SCHEDULE_KINDS.cron}' CHECK (kind IN ('${SCHEDULE_KINDS.cron}', '${SCHEDULE_KINDS.rrule}\
')),
      cron text not null,
      timezone text DEFAULT 'UTC',
      data jsonb,
      options jsonb,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      last_job_id uuid,
      PRIMARY KEY (name, key)
    )
  `}function createTableSubscription(schema){return`
    CREATE TABLE ${schema}.subscription (
      event text not null,
      name text not null REFERENCES ${schema}.queue ON DELETE CASCADE,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      PRIMARY KEY(event, name)
    )
  `}function createTableBam(schema){return`
    CREATE TABLE ${schema}.bam (
      id uuid PRIMARY KEY default gen_random_uuid(),
      name text NOT NULL,
      version int NOT NULL,
      status text NOT NULL DEFAULT 'pending',
      queue text,
      table_name text NOT NULL,
      command text NOT NULL,
      error text,
      created_on timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
      started_on timestamp with time zone,
      completed_on timestamp with time zone
    )
  `}function createTableWarning(schema){return`
    CREATE TABLE ${schema}.warning (
      id uuid PRIMARY KEY default gen_random_uuid(),
      type text NOT NULL,
      message text NOT NULL,
      data jsonb,
      created_on timestamp with time zone NOT NULL DEFAULT now()
    )
  `}function createIndexWarning(schema){return`CREATE INDEX warning_i1 ON ${schema}.warning (created_on DESC)`}function createTableJobDependency(schema){
return`
    CREATE TABLE ${schema}.job_dependency (
      child_name text NOT NULL,
      child_id uuid NOT NULL,
      parent_name text NOT NULL,
      parent_id uuid NOT NULL,
      PRIMARY KEY (child_name, child_id, parent_name, parent_id)
    )
  `}function createIndexJobDependencyParent(schema){return`CREATE INDEX IF NOT EXISTS job_dep_parent_idx ON ${schema}.jo\
b_dependency (parent_name, parent_id)`}function jobTableFormatFunction(schema){return`
    CREATE FUNCTION ${schema}.job_table_format(command text, table_name text)
    RETURNS text AS
    $$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\\.job\\y', '.%1$I', 'g'),
          '\\yjob_i(\\d+)', '%1$s_i\\1', 'g'
        ),
        table_name
      );
    $$
    LANGUAGE sql IMMUTABLE;
  `}function jobTableRunFunction(schema){return`
    CREATE FUNCTION ${schema}.job_table_run(command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
    RETURNS VOID AS
    $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM ${schema}.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        EXECUTE ${schema}.job_table_format(command, tbl_name);
        RETURN;
      END IF;

      EXECUTE ${schema}.job_table_format(command, '${COMMON_JOB_TABLE}');

      FOR tbl IN SELECT table_name FROM ${schema}.queue WHERE partition = true
      LOOP
        EXECUTE ${schema}.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$
    LANGUAGE plpgsql;
  `}function jobTableRunAsyncFunction(schema){return`
    CREATE FUNCTION ${schema}.job_table_run_async(command_name text, version int, command text, tbl_name text DEFAULT NU\
LL, queue_name text DEFAULT NULL)
    RETURNS VOID AS
    $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM ${schema}.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        INSERT INTO ${schema}.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          ${schema}.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;

      INSERT INTO ${schema}.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        '${COMMON_JOB_TABLE}',
        ${schema}.job_table_format(command, '${COMMON_JOB_TABLE}')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        ${schema}.job_table_format(command, queue.table_name)
      FROM ${schema}.queue
      WHERE partition = true;
    END;
    $$
    LANGUAGE plpgsql;
  `}function createTableJob(schema,noPartitioning=false){const partitionClause=noPartitioning?"":"PARTITION BY LIST (nam\
e)";return`
    CREATE TABLE ${schema}.job (
      id uuid not null default gen_random_uuid(),
      name text not null,
      priority integer not null default(0),
      data jsonb,
      state ${schema}.job_state not null default '${JOB_STATES.created}',
      retry_limit integer not null default ${QUEUE_DEFAULTS.retry_limit},
      retry_count integer not null default 0,
      retry_delay integer not null default ${QUEUE_DEFAULTS.retry_delay},
      retry_backoff boolean not null default ${QUEUE_DEFAULTS.retry_backoff},
      retry_delay_max integer,
      expire_seconds int not null default ${QUEUE_DEFAULTS.expire_seconds},
      deletion_seconds int not null default ${QUEUE_DEFAULTS.deletion_seconds},
      singleton_key text,
      singleton_on timestamp without time zone,
      group_id text,
      group_tier text,
      start_after timestamp with time zone not null default now(),
      created_on timestamp with time zone not null default now(),
      started_on timestamp with time zone,
      completed_on timestamp with time zone,
      keep_until timestamp with time zone NOT NULL default now() + interval '${QUEUE_DEFAULTS.retention_seconds}',
      output jsonb,
      dead_letter text,
      policy text,
      heartbeat_on timestamp with time zone,
      heartbeat_seconds int,
      blocked boolean not null default false,
      blocking boolean not null default false,
      pending_dependencies int not null default 0,
      source_name text,
      source_id uuid,
      source_created_on timestamp with time zone,
      source_retry_count int,
      source_output jsonb,
      source_root_id uuid
    ) ${partitionClause}
  `}var JOB_COLUMNS_MIN='id, name, data, retry_count as "retryCount", expire_seconds as "expireInSeconds", heartbeat_sec\
onds as "heartbeatSeconds", group_id as "groupId", group_tier as "groupTier"';var JOB_COLUMNS_ALL=`${JOB_COLUMNS_MIN},
  policy,
  state,
  priority,
  retry_limit as "retryLimit",
  retry_delay as "retryDelay",
  retry_backoff as "retryBackoff",
  retry_delay_max as "retryDelayMax",
  start_after as "startAfter",
  started_on as "startedOn",
  singleton_key as "singletonKey",
  singleton_on as "singletonOn",
  deletion_seconds as "deleteAfterSeconds",
  heartbeat_on as "heartbeatOn",
  created_on as "createdOn",
  completed_on as "completedOn",
  keep_until as "keepUntil",
  dead_letter as "deadLetter",
  blocked,
  blocking,
  pending_dependencies as "pendingDependencies",
  output,
  source_name as "sourceName",
  source_id as "sourceId",
  source_created_on as "sourceCreatedOn",
  source_retry_count as "sourceRetryCount",
  source_output as "sourceOutput",
  source_root_id as "sourceRootId"
`;function createTableJobCommon(schema){return`
    CREATE TABLE ${schema}.${COMMON_JOB_TABLE} (LIKE ${schema}.job INCLUDING GENERATED INCLUDING DEFAULTS);

    SELECT ${schema}.job_table_run($cmd$${createPrimaryKeyJob(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createQueueForeignKeyJob(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createQueueForeignKeyJobDeadLetter(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobPolicyShort(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobPolicySingleton(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobPolicyStately(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobPolicyExclusive(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobPolicyKeyStrictFifo(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobPolicyKeyStrictFifoHeads(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createCheckConstraintKeyStrictFifo(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobThrottle(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobFetch(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobGroupConcurrency(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobBlocking(schema)}$cmd$, '${COMMON_JOB_TABLE}');
    SELECT ${schema}.job_table_run($cmd$${createIndexJobSourceRoot(schema)}$cmd$, '${COMMON_JOB_TABLE}');

    ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.${COMMON_JOB_TABLE} DEFAULT;
  `}function createTableJobIndexes(schema,noDeferrableConstraints=false,noCoveringIndex=false){return`
    ${createQueueForeignKeyJob(schema,noDeferrableConstraints)};
    ${createQueueForeignKeyJobDeadLetter(schema,noDeferrableConstraints)};
    ${createIndexJobPolicyShort(schema)};
    ${createIndexJobPolicySingleton(schema)};
    ${createIndexJobPolicyStately(schema)};
    ${createIndexJobPolicyExclusive(schema)};
    ${createIndexJobPolicyKeyStrictFifo(schema)};
    ${createIndexJobPolicyKeyStrictFifoHeads(schema,noCoveringIndex)};
    ${createCheckConstraintKeyStrictFifo(schema)};
    ${createIndexJobThrottle(schema)};
    ${createIndexJobFetch(schema,noCoveringIndex)};
    ${createIndexJobGroupConcurrency(schema)};
    ${createIndexJobBlocking(schema)};
    ${createIndexJobSourceRoot(schema)};
  `}function createQueueFunction(schema,noPartitioning=false){if(noPartitioning){return`
      CREATE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
      RETURNS VOID AS
      $$
      BEGIN
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, ${QUEUE_DEFAULTS.retry_limit}),
          COALESCE((options->>'retryDelay')::int, ${QUEUE_DEFAULTS.retry_delay}),
          COALESCE((options->>'retryBackoff')::bool, ${QUEUE_DEFAULTS.retry_backoff}),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, ${QUEUE_DEFAULTS.expire_seconds}),
          COALESCE((options->>'retentionSeconds')::int, ${QUEUE_DEFAULTS.retention_seconds}),
          COALESCE((options->>'deleteAfterSeconds')::int, ${QUEUE_DEFAULTS.deletion_seconds}),
          COALESCE((options->>'warningQueueSize')::int, ${QUEUE_DEFAULTS.warning_queued}),
          options->>'deadLetter',
          false,
          '${BASE_JOB_TABLE}',
          (options->>'heartbeatSeconds')::int,
          ${schema}.job_now(),
          ${schema}.job_now()
        )
        ON CONFLICT DO NOTHING;
      END;
      $$
      LANGUAGE plpgsql;
    `}return`
    CREATE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE '${COMMON_JOB_TABLE}'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, ${QUEUE_DEFAULTS.retry_limit}),
          COALESCE((options->>'retryDelay')::int, ${QUEUE_DEFAULTS.retry_delay}),
          COALESCE((options->>'retryBackoff')::bool, ${QUEUE_DEFAULTS.retry_backoff}),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, ${QUEUE_DEFAULTS.expire_seconds}),
          COALESCE((options->>'retentionSeconds')::int, ${QUEUE_DEFAULTS.retention_seconds}),
          COALESCE((options->>'deleteAfterSeconds')::int, ${QUEUE_DEFAULTS.deletion_seconds}),
          COALESCE((options->>'warningQueueSize')::int, ${QUEUE_DEFAULTS.warning_queued}),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, ${QUEUE_DEFAULTS.partition}),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false),
          ${schema}.job_now(),
          ${schema}.job_now()
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$${createPrimaryKeyJob(schema)}$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$${createQueueForeignKeyJob(schema)}$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$${createQueueForeignKeyJobDeadLetter(schema)}$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$${createIndexJobFetch(schema)}$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$${createIndexJobThrottle(schema)}$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$${createIndexJobGroupConcurrency(schema)}$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$${createIndexJobBlocking(schema)}$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$${createIndexJobSourceRoot(schema)}$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$${createIndexJobPolicyShort(schema)}$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$${createIndexJobPolicySingleton(schema)}$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$${createIndexJobPolicyStately(schema)}$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$${createIndexJobPolicyExclusive(schema)}$cmd$, tablename);
      ELSIF options->>'policy' = '${QUEUE_POLICIES.key_strict_fifo}' THEN
        EXECUTE ${schema}.job_table_format($cmd$${createIndexJobPolicyKeyStrictFifo(schema)}$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$${createIndexJobPolicyKeyStrictFifoHeads(schema)}$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$${createCheckConstraintKeyStrictFifo(schema)}$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `}function deleteQueueFunction(schema,noPartitioning=false){const deleteJobsSql=noPartitioning?`DELETE FROM ${schema}.\
job WHERE name = queue_name;`:`
      SELECT table_name, partition
      FROM ${schema}.queue
      WHERE name = queue_name
      INTO v_table, v_partition;

      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS ${schema}.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM ${schema}.%I WHERE name = %L', v_table, queue_name);
      END IF;
    `;const declareBlock=noPartitioning?"":`
    DECLARE
      v_table varchar;
      v_partition bool;`;return`
    CREATE FUNCTION ${schema}.delete_queue(queue_name text)
    RETURNS VOID AS
    $$${declareBlock}
    BEGIN
      ${deleteJobsSql}
      DELETE FROM ${schema}.queue WHERE name = queue_name;
    END;
    $$
    LANGUAGE plpgsql;
  `}function createQueue(schema,name,options,noAdvisoryLocks){const sql2=`SELECT ${schema}.create_queue('${name}', '${JSON.
stringify(options)}'::jsonb)`;return locked(schema,sql2,"create-queue",noAdvisoryLocks)}function notifyChannelSql(schema){
return`('pgboss_' || left(encode(sha224('${normalizeSchemaName(schema)}'::bytea), 'hex'), 24))`}function notifyQueue(schema,name){
return`SELECT pg_notify(${notifyChannelSql(schema)}, '${name}')`}function deleteQueue(schema,name,noAdvisoryLocks){const sql2=`\
SELECT ${schema}.delete_queue('${name}')`;return locked(schema,sql2,"delete-queue",noAdvisoryLocks)}function createPrimaryKeyJob(schema){
return`ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)`}function createQueueForeignKeyJob(schema,noPartitioning=false){
const deferrable=noPartitioning?"":" DEFERRABLE INITIALLY DEFERRED";return`ALTER TABLE ${schema}.job ADD CONSTRAINT q_fk\
ey FOREIGN KEY (name) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT${deferrable}`}function createQueueForeignKeyJobDeadLetter(schema,noPartitioning=false){
const deferrable=noPartitioning?"":" DEFERRABLE INITIALLY DEFERRED";return`ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_\
fkey FOREIGN KEY (dead_letter) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT${deferrable}`}function createIndexJobPolicyShort(schema){
return`CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_key, '')) WHERE state = '${JOB_STATES.created}\
' AND policy = '${QUEUE_POLICIES.short}'`}function createIndexJobPolicySingleton(schema){return`CREATE UNIQUE INDEX job_\
i2 ON ${schema}.job (name, COALESCE(singleton_key, '')) WHERE state = '${JOB_STATES.active}' AND policy = '${QUEUE_POLICIES.
singleton}'`}function createIndexJobPolicyStately(schema){return`CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, stat\
e, COALESCE(singleton_key, '')) WHERE state <= '${JOB_STATES.active}' AND policy = '${QUEUE_POLICIES.stately}'`}function createIndexJobThrottle(schema){
return`CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> '${JOB_STATES.
cancelled}' AND singleton_on IS NOT NULL`}function createIndexJobFetch(schema,noCoveringIndex=false){return`CREATE INDEX\
 job_i11 ON ${schema}.job (name, priority DESC, created_on, start_after) WHERE state < '${JOB_STATES.active}' AND NOT bl\
ocked`}function createIndexJobPolicyExclusive(schema){return`CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE\
(singleton_key, '')) WHERE state <= '${JOB_STATES.active}' AND policy = '${QUEUE_POLICIES.exclusive}'`}function createIndexJobPolicyKeyStrictFifo(schema){
return`CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE state IN ('${JOB_STATES.active}', '${JOB_STATES.
retry}', '${JOB_STATES.failed}') AND policy = '${QUEUE_POLICIES.key_strict_fifo}'`}function createIndexJobPolicyKeyStrictFifoHeads(schema,noCoveringIndex=false){
const include=noCoveringIndex?"":" INCLUDE (start_after)";return`CREATE INDEX job_i10 ON ${schema}.job (name, singleton_\
key, state DESC, created_on, id)${include} WHERE state < '${JOB_STATES.active}' AND NOT blocked AND policy = '${QUEUE_POLICIES.
key_strict_fifo}'`}function createCheckConstraintKeyStrictFifo(schema){return`ALTER TABLE ${schema}.job ADD CONSTRAINT j\
ob_key_strict_fifo_singleton_key_check CHECK (NOT (policy = '${QUEUE_POLICIES.key_strict_fifo}' AND singleton_key IS NUL\
L))`}function createIndexJobGroupConcurrency(schema){return`CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE \
state = '${JOB_STATES.active}' AND group_id IS NOT NULL`}function createIndexJobBlocking(schema){return`CREATE INDEX job\
_i9 ON ${schema}.job (name, id) WHERE blocking AND state = '${JOB_STATES.completed}'`}function createIndexJobSourceRoot(schema){
return`CREATE INDEX job_i12 ON ${schema}.job (source_root_id) WHERE source_root_id IS NOT NULL`}function trySetQueueMonitorTime(schema,queues,seconds,skipLocked){
return{text:`
    WITH due AS (
      SELECT name
      FROM ${schema}.queue
      WHERE name = ANY($1::text[])
        AND EXTRACT( EPOCH FROM (${schema}.job_now() - COALESCE(monitor_claim_on, monitor_on, ${schema}.job_now() - inte\
rval '1 week') ) ) >= ${seconds}
      ${queueRowLock(skipLocked)}
    )
    UPDATE ${schema}.queue
    SET monitor_claim_on = ${schema}.job_now()
    FROM due
    WHERE queue.name = due.name
    RETURNING queue.name, NOT EXISTS (SELECT 1 FROM ${schema}.version WHERE monitor_backoff_on > ${schema}.job_now()) as\
 "refreshStats"
  `,values:[queues]}}var MONITOR_PIN_BUDGET_RATIO=.1;var MONITOR_BACKOFF_MAX_SECONDS=600;var MONITOR_BACKOFF_CAP_SECONDS=3600;
function setMonitorBackoff(schema,elapsedSeconds){return{text:`
    WITH budget AS (
      SELECT
        naptime,
        LEAST(
          GREATEST(2 * naptime, LEAST($1::float8, ${MONITOR_BACKOFF_MAX_SECONDS})),
          ${MONITOR_BACKOFF_CAP_SECONDS}
        ) AS backoff
      FROM (
        SELECT EXTRACT(EPOCH FROM current_setting('autovacuum_naptime')::interval)::float8 AS naptime
      ) n
    )
    UPDATE ${schema}.version v
    SET monitor_backoff_on = GREATEST(
      COALESCE(v.monitor_backoff_on, ${schema}.job_now()),
      ${schema}.job_now() + make_interval(secs => b.backoff)
    )
    FROM budget b
    WHERE $1::float8 > ${MONITOR_PIN_BUDGET_RATIO} * b.naptime
    RETURNING
      b.naptime  as "naptimeSeconds",
      EXTRACT(EPOCH FROM (v.monitor_backoff_on - ${schema}.job_now()))::float8 as "backoffSeconds",
      v.monitor_backoff_on as "backoffUntil"
  `,values:[elapsedSeconds]}}function trySetQueueDeletionTime(schema,queues,seconds,skipLocked){return trySetQueueTimestamp(
schema,queues,"maintain_on",seconds,skipLocked)}function trySetCronTime(schema,seconds){return`
    WITH prior AS (
      SELECT cron_on, EXTRACT( EPOCH FROM (${schema}.job_now() - cron_on) ) as elapsed FROM ${schema}.version
    ), claim AS (
      ${trySetTimestamp(schema,"cron_on",seconds)}
    )
    SELECT prior.cron_on as "priorCronOn", prior.elapsed as "elapsed", EXISTS (SELECT 1 FROM claim) as "claimed" FROM pr\
ior
  `}function trySetBamTime(schema,seconds){return trySetTimestamp(schema,"bam_on",seconds)}function trySetFlowTime(schema,seconds){
return trySetTimestamp(schema,"flow_on",seconds)}function trySetReindexTime(schema,seconds){return trySetTimestamp(schema,
"reindex_on",seconds)}function trySetTimestamp(schema,column,seconds){return`
    UPDATE ${schema}.version
    SET ${column} = ${schema}.job_now()
    WHERE EXTRACT( EPOCH FROM (${schema}.job_now() - COALESCE(${column}, ${schema}.job_now() - interval '1 week') ) ) >=\
 ${seconds}
    RETURNING true
  `}function trySetQueueTimestamp(schema,queues,column,seconds,skipLocked){return{text:`
    WITH due AS (
      SELECT name
      FROM ${schema}.queue
      WHERE name = ANY($1::text[])
        AND EXTRACT( EPOCH FROM (${schema}.job_now() - COALESCE(${column}, ${schema}.job_now() - interval '1 week') ) ) \
>= ${seconds}
      ${queueRowLock(skipLocked)}
    )
    UPDATE ${schema}.queue
    SET ${column} = ${schema}.job_now()
    FROM due
    WHERE queue.name = due.name
    RETURNING queue.name
  `,values:[queues]}}function queueRowLock(skipLocked){return`ORDER BY name FOR NO KEY UPDATE${skipLocked?" SKIP LOCKED":
""}`}function queueClaimSkipLocked(backend,noSkipLocked){return backend==="postgres"&&!noSkipLocked}function updateQueue(schema){
return`
    WITH options as (SELECT $2::jsonb as data)
    UPDATE ${schema}.queue SET
      retry_limit = COALESCE((o.data->>'retryLimit')::int, retry_limit),
      retry_delay = COALESCE((o.data->>'retryDelay')::int, retry_delay),
      retry_backoff = COALESCE((o.data->>'retryBackoff')::bool, retry_backoff),
      retry_delay_max = CASE WHEN (o.data -> 'retryDelayMax') IS NOT NULL
        THEN (o.data->>'retryDelayMax')::int
        ELSE retry_delay_max END,
      expire_seconds = COALESCE((o.data->>'expireInSeconds')::int, expire_seconds),
      retention_seconds = COALESCE((o.data->>'retentionSeconds')::int, retention_seconds),
      deletion_seconds = COALESCE((o.data->>'deleteAfterSeconds')::int, deletion_seconds),
      warning_queued = COALESCE((o.data->>'warningQueueSize')::int, warning_queued),
      heartbeat_seconds = CASE WHEN (o.data -> 'heartbeatSeconds') IS NOT NULL
        THEN (o.data->>'heartbeatSeconds')::int
        ELSE heartbeat_seconds END,
      notify = COALESCE((o.data->>'notify')::bool, notify),
      dead_letter = CASE WHEN (o.data -> 'deadLetter') IS NOT NULL
        THEN o.data->>'deadLetter'
        ELSE dead_letter END,
      updated_on = ${schema}.job_now()
    FROM options o
    WHERE name = $1
  `}function getQueues(schema,names){const hasNames=names&&names.length>0;return{text:`
    SELECT
      q.name,
      q.policy,
      q.retry_limit as "retryLimit",
      q.retry_delay as "retryDelay",
      q.retry_backoff as "retryBackoff",
      q.retry_delay_max as "retryDelayMax",
      q.expire_seconds as "expireInSeconds",
      q.retention_seconds as "retentionSeconds",
      q.deletion_seconds as "deleteAfterSeconds",
      q.partition,
      q.heartbeat_seconds as "heartbeatSeconds",
      q.notify,
      q.dead_letter as "deadLetter",
      q.deferred_count as "deferredCount",
      q.warning_queued as "warningQueueSize",
      q.queued_count as "queuedCount",
      q.ready_count as "readyCount",
      q.active_count as "activeCount",
      q.failed_count as "failedCount",
      q.total_count as "totalCount",
      q.created_delta as "createdDelta",
      q.completed_delta as "completedDelta",
      q.failed_delta as "failedDelta",
      q.delta_seconds as "deltaSeconds",
      q.delta_on as "deltaOn",
      q.singletons_active as "singletonsActive",
      q.table_name as "table",
      q.created_on as "createdOn",
      q.updated_on as "updatedOn"
    FROM ${schema}.queue q
    ${hasNames?"WHERE q.name = ANY($1::text[])":""}
   `,values:hasNames?[names]:[]}}function deleteJobsById(schema,table,fenced){return`
    WITH results as (
      DELETE FROM ${schema}.${table}
      WHERE name = $1
        AND id = ANY($2::uuid[])
        ${fenced?attemptFence(3):""}
      RETURNING id
    )
    ${settledCountAndIds()}
  `}function deleteQueuedJobs(schema,table){return`DELETE from ${schema}.${table} WHERE name = $1 and state < '${JOB_STATES.
active}'`}function deleteStoredJobs(schema,table){return`DELETE from ${schema}.${table} WHERE name = $1 and state > '${JOB_STATES.
active}'`}function truncateTable(schema,table){return`TRUNCATE ${schema}.${table}`}function deleteAllJobs(schema,table){
return`DELETE from ${schema}.${table} WHERE name = $1`}var SCHEDULE_COLUMNS=`
  name,
  key,
  kind,
  cron,
  COALESCE(timezone, 'UTC') as timezone,
  data,
  options,
  created_on as "createdOn",
  updated_on as "updatedOn",
  last_job_id as "lastJobId"
`;function getSchedules(schema){return`SELECT ${SCHEDULE_COLUMNS} FROM ${schema}.schedule ORDER BY name, key`}function getSchedulesByQueue(schema){
return`SELECT ${SCHEDULE_COLUMNS} FROM ${schema}.schedule WHERE name = $1 ORDER BY key`}function getSchedulesByQueueAndKey(schema){
return`SELECT ${SCHEDULE_COLUMNS} FROM ${schema}.schedule WHERE name = $1 AND COALESCE(key, '') = $2`}function setScheduleLastJobIds(schema){
return`
    UPDATE ${schema}.schedule s
    SET last_job_id = x."jobId"
    FROM json_to_recordset($1::json) AS x (name text, key text, "jobId" uuid)
    WHERE s.name = x.name
      AND COALESCE(s.key, '') = x.key
  `}function setScheduleKinds(schema){return`
    UPDATE ${schema}.schedule s SET kind = k.kind
    FROM json_to_recordset($1::json) as k (name text, key text, kind text, cron text)
    WHERE s.name = k.name
      AND COALESCE(s.key, '') = k.key
      AND s.cron = k.cron
  `}function schedule(schema){return`
    INSERT INTO ${schema}.schedule (name, key, kind, cron, timezone, data, options, created_on, updated_on)
    VALUES ($1, $2, $3, $4, $5, $6, $7, ${schema}.job_now(), ${schema}.job_now())
    ON CONFLICT (name, key) DO UPDATE SET
      kind = EXCLUDED.kind,
      cron = EXCLUDED.cron,
      timezone = EXCLUDED.timezone,
      data = EXCLUDED.data,
      options = EXCLUDED.options,
      updated_on = ${schema}.job_now()
  `}function unschedule(schema){return`
    DELETE FROM ${schema}.schedule
    WHERE name = $1
      AND COALESCE(key, '') = $2
  `}function subscribe(schema){return`
    INSERT INTO ${schema}.subscription (event, name, created_on, updated_on)
    VALUES ($1, $2, ${schema}.job_now(), ${schema}.job_now())
    ON CONFLICT (event, name) DO UPDATE SET
      event = EXCLUDED.event,
      name = EXCLUDED.name,
      updated_on = ${schema}.job_now()
  `}function unsubscribe(schema){return`
    DELETE FROM ${schema}.subscription
    WHERE event = $1 and name = $2
  `}function getQueuesForEvent(schema){return`
    SELECT name FROM ${schema}.subscription
    WHERE event = $1
  `}function getTime(schema){return`SELECT round(date_part('epoch', ${schema}.job_now()) * 1000) as time`}function insertWarning(schema){
return`
    INSERT INTO ${schema}.warning (type, message, data, created_on)
    VALUES ($1, $2, $3, ${schema}.job_now())
  `}function deleteOldWarnings(schema,days){return`
    DELETE FROM ${schema}.warning
    WHERE created_on < ${schema}.job_now() - interval '${days} days'
  `}function createTableQueueStats(schema,noPartitioning=false){return`
    CREATE TABLE ${schema}.queue_stats (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      name text NOT NULL,
      deferred_count int NOT NULL DEFAULT 0,
      queued_count   int NOT NULL DEFAULT 0,
      ready_count    int NOT NULL DEFAULT 0,
      active_count   int NOT NULL DEFAULT 0,
      failed_count   int NOT NULL DEFAULT 0,
      total_count    int NOT NULL DEFAULT 0,
      created_delta   int,
      completed_delta int,
      failed_delta    int,
      delta_seconds   int,
      delta_on        timestamptz,
      captured_on timestamptz NOT NULL DEFAULT now(),
      ${noPartitioning?"PRIMARY KEY (id)":"PRIMARY KEY (id, captured_on)"}
    ) ${noPartitioning?"":"PARTITION BY RANGE (captured_on)"}
  `}function createIndexQueueStats(schema,noCoveringIndex=false){const include=noCoveringIndex?"":"INCLUDE (deferred_cou\
nt, queued_count, ready_count, active_count, failed_count, total_count)";return`CREATE INDEX queue_stats_i1 ON ${schema}\
.queue_stats (name, captured_on DESC) ${include}`}function ensureQueueStatsPartitions(schema){return`
    DO $$
    DECLARE
      d date;
      i int;
      part_name text;
    BEGIN
      FOR i IN 0..1 LOOP
        d := (${schema}.job_now() AT TIME ZONE 'UTC')::date + i;
        part_name := 'queue_stats_' || to_char(d, 'YYYYMMDD');
        IF NOT EXISTS (
          SELECT 1 FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = '${resolveSchemaName(schema)}' AND c.relname = part_name
        ) THEN
          EXECUTE format(
            'CREATE TABLE ${schema}.%I PARTITION OF ${schema}.queue_stats FOR VALUES FROM (%L) TO (%L)',
            part_name,
            to_char(d, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(d + 1, 'YYYY-MM-DD') || ' 00:00:00+00'
          );
        END IF;
      END LOOP;
    END;
    $$
  `}function dropOldQueueStatsPartitions(schema,days){return`
    DO $$
    DECLARE
      r record;
      cutoff date := (${schema}.job_now() AT TIME ZONE 'UTC')::date - ${days};
      suffix text;
      part_date date;
    BEGIN
      FOR r IN
        SELECT c.relname
        FROM pg_inherits i
        JOIN pg_class p ON p.oid = i.inhparent
        JOIN pg_class c ON c.oid = i.inhrelid
        JOIN pg_namespace n ON n.oid = p.relnamespace
        WHERE n.nspname = '${resolveSchemaName(schema)}' AND p.relname = 'queue_stats'
      LOOP
        suffix := substring(r.relname FROM 'queue_stats_(.*)$');
        IF suffix ~ '^[0-9]{8}$' THEN
          part_date := to_date(suffix, 'YYYYMMDD');
          IF part_date < cutoff THEN
            EXECUTE 'DROP TABLE IF EXISTS ${schema}.' || quote_ident(r.relname);
          END IF;
        END IF;
      END LOOP;
    END;
    $$
  `}function deleteOldQueueStats(schema,days){return`
    DELETE FROM ${schema}.queue_stats
    WHERE captured_on < ${schema}.job_now() - interval '${days} days'
  `}function insertQueueStats(schema,queues,noAdvisoryLocks){const sql2=`
    INSERT INTO ${schema}.queue_stats
      (name, deferred_count, queued_count, ready_count, active_count, failed_count, total_count,
       created_delta, completed_delta, failed_delta, delta_seconds, delta_on, captured_on)
    SELECT name, deferred_count, queued_count, ready_count, active_count, failed_count, total_count,
           created_delta, completed_delta, failed_delta, delta_seconds, delta_on, ${schema}.job_now()
    FROM ${schema}.queue
    WHERE name = ANY(${serializeArrayParam(queues)})
  `;return locked(schema,sql2,"queue-stats-insert",noAdvisoryLocks)}function getQueueStatsCache(schema){return`
    SELECT
      name,
      deferred_count as "deferredCount",
      queued_count   as "queuedCount",
      ready_count    as "readyCount",
      active_count   as "activeCount",
      failed_count   as "failedCount",
      total_count    as "totalCount",
      created_delta   as "createdDelta",
      completed_delta as "completedDelta",
      failed_delta    as "failedDelta",
      delta_seconds   as "deltaSeconds",
      delta_on        as "deltaOn",
      table_name     as "table",
      monitor_on     as "capturedOn",
      (extract(epoch from (${schema}.job_now() - monitor_on)) * 1000)::float8 as "cacheAgeMs",
      (SELECT monitor_backoff_on > ${schema}.job_now() FROM ${schema}.version) as "monitorBackoff"
    FROM ${schema}.queue
    WHERE name = $1
  `}function getQueueStatsHistory(schema){return`
    SELECT
      name,
      deferred_count as "deferredCount",
      queued_count   as "queuedCount",
      ready_count    as "readyCount",
      active_count   as "activeCount",
      failed_count   as "failedCount",
      total_count    as "totalCount",
      created_delta   as "createdDelta",
      completed_delta as "completedDelta",
      failed_delta    as "failedDelta",
      delta_seconds   as "deltaSeconds",
      delta_on        as "deltaOn",
      captured_on    as "capturedOn"
    FROM ${schema}.queue_stats
    WHERE name = $1
      AND ($2::timestamptz IS NULL OR captured_on >= $2)
      AND ($3::timestamptz IS NULL OR captured_on <= $3)
    ORDER BY captured_on DESC
    LIMIT $4
  `}var STATS_AGG={max:c2=>`max(${c2})::int`,min:c2=>`min(${c2})::int`,avg:c2=>`round(avg(${c2}))::int`};function getQueueStatsHistoryBucketed(schema,aggregate,mode){
const agg=STATS_AGG[aggregate];const widthCte=mode==="auto"?`WITH extent AS (
         SELECT min(captured_on) AS lo, max(captured_on) AS hi
         FROM ${schema}.queue_stats
         WHERE name = $1
       ),
       bounds AS (
         SELECT
           greatest(coalesce($2::timestamptz, lo), lo) AS lo,
           least(coalesce($3::timestamptz, hi), hi)    AS hi
         FROM extent
       ),
       w AS (
         SELECT greatest(1, ceil(extract(epoch from (hi - lo))::float8 / greatest($5, 1)::float8)::bigint)::bigint AS se\
cs
         FROM bounds
       )`:"WITH w AS (SELECT greatest($5, 1)::bigint AS secs)";const limit=mode==="auto"?"least($4, $5)":"$4";const bucket=column=>`\
to_timestamp(floor(extract(epoch from ${column})::float8 / w.secs::float8) * w.secs::float8)`;return`
    ${widthCte},
    gauges AS (
      SELECT
        ${bucket("captured_on")} as bucket,
        ${agg("deferred_count")} as "deferredCount",
        ${agg("queued_count")}   as "queuedCount",
        ${agg("ready_count")}    as "readyCount",
        ${agg("active_count")}   as "activeCount",
        ${agg("failed_count")}   as "failedCount",
        ${agg("total_count")}    as "totalCount"
      FROM ${schema}.queue_stats, w
      WHERE name = $1
        AND ($2::timestamptz IS NULL OR captured_on >= $2)
        AND ($3::timestamptz IS NULL OR captured_on <= $3)
      GROUP BY 1
    ),
    counters AS (
      SELECT
        ${bucket("delta_on")} as bucket,
        sum(created_delta)::int   as "createdDelta",
        sum(completed_delta)::int as "completedDelta",
        sum(failed_delta)::int    as "failedDelta",
        sum(delta_seconds)::int   as "deltaSeconds",
        max(delta_on)             as "deltaOn"
      FROM ${schema}.queue_stats, w
      WHERE name = $1
        AND delta_on IS NOT NULL
        AND ($2::timestamptz IS NULL OR delta_on >= $2)
        AND ($3::timestamptz IS NULL OR delta_on <= $3)
      GROUP BY 1
    ),
    placed AS (
      SELECT
        COALESCE(
          max(g.bucket) OVER (ORDER BY COALESCE(g.bucket, c.bucket) ROWS UNBOUNDED PRECEDING),
          min(g.bucket) OVER ()
        ) as bucket,
        g."deferredCount",
        g."queuedCount",
        g."readyCount",
        g."activeCount",
        g."failedCount",
        g."totalCount",
        c."createdDelta",
        c."completedDelta",
        c."failedDelta",
        c."deltaSeconds",
        c."deltaOn"
      FROM gauges g
        FULL JOIN counters c ON c.bucket = g.bucket
    )
    SELECT
      bucket as "capturedOn",
      max("deferredCount")::int as "deferredCount",
      max("queuedCount")::int   as "queuedCount",
      max("readyCount")::int    as "readyCount",
      max("activeCount")::int   as "activeCount",
      max("failedCount")::int   as "failedCount",
      max("totalCount")::int    as "totalCount",
      sum("createdDelta")::int   as "createdDelta",
      sum("completedDelta")::int as "completedDelta",
      sum("failedDelta")::int    as "failedDelta",
      sum("deltaSeconds")::int   as "deltaSeconds",
      max("deltaOn")             as "deltaOn"
    FROM placed
    WHERE bucket IS NOT NULL
    GROUP BY 1
    ORDER BY 1 DESC
    LIMIT ${limit}
  `}function getVersion(schema){return`SELECT version from ${schema}.version`}function setVersion(schema,version){return`\
UPDATE ${schema}.version SET version = '${version}'`}function versionTableExists(schema){return`SELECT to_regclass('${schema}\
.version') as name`}function getSchemaCaseVariants(schema){const resolved=resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX2,
"''");return`
    SELECT n.nspname as name
    FROM pg_namespace n
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'version' AND c.relkind IN ('r', 'p')
    WHERE lower(n.nspname) = lower('${resolved}') AND n.nspname <> '${resolved}'
    ORDER BY n.nspname
  `}function insertVersion(schema,version){return`INSERT INTO ${schema}.version(version) VALUES ('${version}')`}function buildFetchParams(options){
const{ignoreSingletons,ignoreGroups,groupConcurrency,minPriority,maxPriority}=options;const hasIgnoreSingletons=ignoreSingletons!=
null&&ignoreSingletons.length>0;const hasIgnoreGroups=ignoreGroups!=null&&ignoreGroups.length>0;const hasGroupConcurrency=groupConcurrency!=
null;const hasMinPriority=minPriority!=null;const hasMaxPriority=maxPriority!=null;const groupConcurrencyConfig=hasGroupConcurrency?
typeof groupConcurrency==="number"?{default:groupConcurrency}:groupConcurrency:null;const hasTiers=groupConcurrencyConfig?.
tiers&&Object.keys(groupConcurrencyConfig.tiers).length>0;const values=[];let paramIndex=0;let ignoreSingletonsParam="";
let ignoreGroupsParam="";let defaultGroupLimitParam="";let tiersParam="";let minPriorityParam="";let maxPriorityParam="";
if(hasIgnoreSingletons){paramIndex++;ignoreSingletonsParam=`$${paramIndex}::text[]`;values.push(ignoreSingletons.map(key=>key??
""))}if(hasIgnoreGroups){paramIndex++;ignoreGroupsParam=`$${paramIndex}::text[]`;values.push(ignoreGroups)}if(hasGroupConcurrency&&
groupConcurrencyConfig){paramIndex++;defaultGroupLimitParam=`$${paramIndex}::int`;values.push(groupConcurrencyConfig.default);
if(hasTiers){paramIndex++;tiersParam=`$${paramIndex}::text::jsonb`;values.push(JSON.stringify(groupConcurrencyConfig.tiers))}}
if(hasMinPriority){paramIndex++;minPriorityParam=`$${paramIndex}::int`;values.push(minPriority)}if(hasMaxPriority){paramIndex++;
maxPriorityParam=`$${paramIndex}::int`;values.push(maxPriority)}return{values,ignoreSingletonsParam,ignoreGroupsParam,defaultGroupLimitParam,
tiersParam,minPriorityParam,maxPriorityParam}}function fetchNextJob(options,noSkipLocked=false){const{schema,table,name,
policy,limit,includeMetadata,ignoreStartAfter=false,groupConcurrency,minPriority,maxPriority}=options;const keyStrictFifo=policy===
QUEUE_POLICIES.key_strict_fifo;const singletonFetch=limit>1&&(policy===QUEUE_POLICIES.singleton||policy===QUEUE_POLICIES.
stately);const hasIgnoreSingletons=options.ignoreSingletons!=null&&options.ignoreSingletons.length>0;const hasIgnoreGroups=options.
ignoreGroups!=null&&options.ignoreGroups.length>0;const hasGroupConcurrency=groupConcurrency!=null;const hasMinPriority=minPriority!=
null;const hasMaxPriority=maxPriority!=null;const groupConcurrencyConfig=hasGroupConcurrency?typeof groupConcurrency==="\
number"?{default:groupConcurrency}:groupConcurrency:null;const hasTiers=hasGroupConcurrency&&groupConcurrencyConfig?.tiers&&
Object.keys(groupConcurrencyConfig.tiers).length>0;const hasSingleGroupConcurrency=hasGroupConcurrency&&!hasTiers&&groupConcurrencyConfig?.
default===1;const hasActiveGroupCounts=hasGroupConcurrency&&!hasSingleGroupConcurrency;const params=buildFetchParams(options);
const groupLimit=hasTiers?`COALESCE((${params.tiersParam} ->> group_tier)::int, ${params.defaultGroupLimitParam})`:params.
defaultGroupLimitParam;const activeGroupCountExpression=hasActiveGroupCounts?"COALESCE(((SELECT counts FROM active_group\
_count_map) ->> j.group_id)::int, 0)":"";const selectCols=["j.id",singletonFetch?"j.singleton_key":"",hasGroupConcurrency?
"j.group_id, j.group_tier":"",hasActiveGroupCounts?`${activeGroupCountExpression} as active_cnt`:""].filter(Boolean).join(
", ");const activeGroupCountMapCte=hasActiveGroupCounts?`active_group_count_map AS MATERIALIZED (
        SELECT COALESCE(jsonb_object_agg(group_id, active_cnt), '{}'::jsonb) as counts
        FROM (
          SELECT group_id, COUNT(*)::int as active_cnt
          FROM ${schema}.${table}
          WHERE name = '${name}' AND state = '${JOB_STATES.active}' AND group_id IS NOT NULL
          GROUP BY group_id
        ) active_groups
      ), `:"";const lockClause=noSkipLocked?"":"FOR UPDATE OF j SKIP LOCKED";const groupConcurrencyFilter=hasGroupConcurrency?
hasSingleGroupConcurrency?`(j.group_id IS NULL
            OR NOT EXISTS (
              SELECT 1
              FROM ${schema}.${table} active_group_probe
              WHERE active_group_probe.name = '${name}'
                AND active_group_probe.state = '${JOB_STATES.active}'
                AND active_group_probe.group_id IS NOT NULL
                AND active_group_probe.group_id = j.group_id
            ))`:`(j.group_id IS NULL
            OR ${activeGroupCountExpression} < ${groupLimit})`:"";const strictFifoHeadsCte=keyStrictFifo?`strict_fifo_he\
ads AS MATERIALIZED (
        SELECT DISTINCT ON (h.singleton_key) h.id
        FROM ${schema}.${table} h
        WHERE h.name = '${name}'
          AND h.state < '${JOB_STATES.active}'
          AND NOT h.blocked
          AND h.policy = '${QUEUE_POLICIES.key_strict_fifo}'
          ${!ignoreStartAfter?`AND h.start_after <= ${schema}.job_now()`:""}
        ORDER BY h.singleton_key, h.state DESC, h.created_on, h.id
      ), `:"";const whereConditions=[`j.name = '${name}'`,`j.state < '${JOB_STATES.active}'`,"NOT j.blocked",!ignoreStartAfter?
`j.start_after <= ${schema}.job_now()`:"",keyStrictFifo?"j.id IN (SELECT id FROM strict_fifo_heads)":"",keyStrictFifo?`N\
OT EXISTS (
            SELECT 1
            FROM ${schema}.${table} b
            WHERE b.name = j.name
              AND b.singleton_key = j.singleton_key
              AND b.state IN ('${JOB_STATES.active}', '${JOB_STATES.retry}', '${JOB_STATES.failed}')
              AND b.policy = '${QUEUE_POLICIES.key_strict_fifo}'
              AND b.id <> j.id
          )`:"",hasIgnoreSingletons?`COALESCE(j.singleton_key, '') <> ALL(${params.ignoreSingletonsParam})`:"",hasIgnoreGroups?
`(j.group_id IS NULL OR j.group_id <> ALL(${params.ignoreGroupsParam}))`:"",hasMinPriority?`j.priority >= ${params.minPriorityParam}`:
"",hasMaxPriority?`j.priority <= ${params.maxPriorityParam}`:"",groupConcurrencyFilter].filter(Boolean).join("\n         \
 AND ");const nextCte=`
      next AS (
        SELECT ${selectCols}
        FROM ${schema}.${table} j
        WHERE ${whereConditions}
        ORDER BY j.priority desc, j.created_on
        LIMIT ${limit}
        ${lockClause}
      )`;const singletonCte=singletonFetch?`, singleton_ranking AS (
        SELECT id, ${hasGroupConcurrency?"group_id, group_tier, ":""}${hasActiveGroupCounts?"active_cnt, ":""}
          row_number() OVER (PARTITION BY singleton_key) as singleton_rn
        FROM next
      )`:"";const groupConcurrencyCtes=hasGroupConcurrency?`,
      group_ranking AS (
        SELECT t.id
          , t.group_id
          , t.group_tier
          ${singletonFetch?", singleton_rn":""}
          , ROW_NUMBER() OVER (PARTITION BY t.group_id ORDER BY t.id) as group_rn
          , ${hasActiveGroupCounts?"t.active_cnt":"0"} as active_cnt
        FROM ${singletonFetch?"singleton_ranking":"next"} t
        ${singletonFetch?"WHERE singleton_rn = 1":""}
      ),
      group_filtered AS (
        SELECT id FROM group_ranking
        WHERE group_id IS NULL
          OR (active_cnt + group_rn) <= ${groupLimit}
      )`:"";const finalCte=hasGroupConcurrency?"group_filtered":singletonFetch?"singleton_ranking":"next";const updateSource=hasGroupConcurrency?
"":`FROM ${finalCte}`;const updateMatch=hasGroupConcurrency?`j.id = ANY (ARRAY(SELECT id FROM ${finalCte}))`:`j.id = ${finalCte}\
.id`;const distributedStateCheck=noSkipLocked?`AND j.state < '${JOB_STATES.active}'`:"";return{text:`
      WITH
      ${strictFifoHeadsCte}
      ${activeGroupCountMapCte}
      ${nextCte}
      ${singletonCte}
      ${groupConcurrencyCtes}
      UPDATE ${schema}.${table} j SET
        state = '${JOB_STATES.active}',
        started_on = ${schema}.job_now(),
        heartbeat_on = ${schema}.job_now(),
        retry_count = CASE WHEN started_on IS NOT NULL THEN retry_count + 1 ELSE retry_count END
      ${updateSource}
      WHERE name = '${name}' AND ${updateMatch}
      ${singletonFetch&&!hasGroupConcurrency?"AND singleton_rn = 1":""}
      ${distributedStateCheck}
      RETURNING j.${includeMetadata?JOB_COLUMNS_ALL:JOB_COLUMNS_MIN}
    `,values:params.values}}function attemptFence(param){return`AND state = '${JOB_STATES.active}'
        AND (id::text || ':' || retry_count::text) = ANY($${param}::text[])`}function attemptPairs(ids,attempts){return ids.
map((id2,i2)=>`${canonicalUuid(id2)}:${attempts[i2]}`)}var CANONICAL_UUID=/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
function canonicalUuid(id2){if(CANONICAL_UUID.test(id2))return id2;const hex=id2.replace(/[{}-]/g,"").toLowerCase();if(!/^[0-9a-f]{32}$/.
test(hex))return id2;return`${hex.slice(0,8)}-${hex.slice(8,12)}-${hex.slice(12,16)}-${hex.slice(16,20)}-${hex.slice(20)}`}
function recordsetAttemptFence(alias,input){return`AND ${alias}state = '${JOB_STATES.active}'
        AND ${alias}retry_count = ${input}.retry_count`}function completeJobsUpdate(schema,table,includeQueued,fenced){return`\
UPDATE ${schema}.${table}
      SET completed_on = ${schema}.job_now(),
        state = '${JOB_STATES.completed}',
        output = $3::jsonb,
        blocked = ${includeQueued?"false":"blocked"},
        pending_dependencies = ${includeQueued?"0":"pending_dependencies"}
      WHERE name = $1
        AND id = ANY($2::uuid[])
        AND ${includeQueued?`state < '${JOB_STATES.completed}'`:`state = '${JOB_STATES.active}'`}
        ${fenced?attemptFence(4):""}`}function lockedChildrenCte(schema){return`locked_children AS (
      SELECT j.name, j.id, d.n
      FROM ${schema}.job j
      JOIN decremented d ON d.child_name = j.name
        AND d.child_id = j.id
      WHERE j.blocked
      ORDER BY j.name, j.id
      FOR UPDATE OF j
    )`}function unblockChildrenUpdate(schema){return`UPDATE ${schema}.job j
      SET pending_dependencies = GREATEST(j.pending_dependencies - lc.n, 0),
          blocked = GREATEST(j.pending_dependencies - lc.n, 0) > 0
      FROM locked_children lc
      WHERE j.name = lc.name
        AND j.id = lc.id`}function completeJobs(schema,table,includeQueued,fenced){return`
    WITH results AS (
      ${completeJobsUpdate(schema,table,includeQueued,fenced)}
      RETURNING id
    )
    ${settledCountAndIds()}
  `}function completeJobsWithOutputs(schema,table){return`
    WITH input AS (
      SELECT * FROM json_to_recordset($2::text::json) AS x (id uuid, retry_count int, output jsonb)
    ),
    results AS (
      UPDATE ${schema}.${table} j
      SET completed_on = ${schema}.job_now(),
        state = '${JOB_STATES.completed}',
        output = i.output
      FROM input i
      WHERE j.name = $1
        AND j.id = i.id
        ${recordsetAttemptFence("j.","i")}
      RETURNING j.id
    )
    ${settledCountAndIds()}
  `}function completeJobsWithOutputsDistributed(schema,table){return`
    WITH input AS (
      SELECT * FROM json_to_recordset($2::text::json) AS x (id uuid, retry_count int, output jsonb)
    )
    UPDATE ${schema}.${table} j
    SET completed_on = ${schema}.job_now(),
      state = '${JOB_STATES.completed}',
      output = i.output
    FROM input i
    WHERE j.name = $1
      AND j.id = i.id
      ${recordsetAttemptFence("j.","i")}
    RETURNING j.id
  `}function cancelJobs(schema,table,fenced){return`
    WITH results as (
      UPDATE ${schema}.${table}
      SET completed_on = ${schema}.job_now(),
        state = '${JOB_STATES.cancelled}'
      WHERE name = $1
        AND id = ANY($2::uuid[])
        AND state < '${JOB_STATES.completed}'
        ${fenced?attemptFence(3):""}
      RETURNING id
    )
    ${settledCountAndIds()}
  `}function resumeJobs(schema,table){return`
    WITH results as (
      UPDATE ${schema}.${table}
      SET completed_on = NULL,
        state = '${JOB_STATES.created}'
      WHERE name = $1
        AND id = ANY($2::uuid[])
        AND state = '${JOB_STATES.cancelled}'
      RETURNING 1
    )
    SELECT COUNT(*) from results
  `}function restoreJobs(schema,table){return`
    UPDATE ${schema}.${table}
    SET state = '${JOB_STATES.created}',
        started_on = NULL,
        heartbeat_on = NULL
    WHERE name = $1
      AND id = ANY($2::uuid[])
  `}function isDateTimeString(expression){return`(right(${expression}, 1) = 'Z' OR ${expression} ~ '^[0-9]{4}-[0-9]{2}-[\
0-9]{2}')`}function insertJobs(schema,{table,name,returnId=true,notify=false,slots=false}){const returning=notify?"RETUR\
NING id, start_after":returnId?"RETURNING id":"";const slotClause=slots?'WHEN "__singletonSlot" IS NOT NULL THEN CAST("_\
_singletonSlot" as timestamp)':"";const insert=`
    INSERT INTO ${schema}.${table} (
      id,
      name,
      data,
      priority,
      start_after,
      created_on,
      singleton_key,
      singleton_on,
      group_id,
      group_tier,
      expire_seconds,
      deletion_seconds,
      keep_until,
      retry_limit,
      retry_delay,
      retry_backoff,
      retry_delay_max,
      policy,
      dead_letter,
      heartbeat_seconds,
      blocked,
      blocking,
      pending_dependencies
    )
    SELECT
      COALESCE(id, gen_random_uuid()) as id,
      '${name}' as name,
      data,
      COALESCE(priority, 0) as priority,
      j.start_after,
      ${schema}.job_now() as created_on,
      "singletonKey",
      CASE
        ${slotClause}
        WHEN "singletonSeconds" IS NOT NULL THEN 'epoch'::timestamp + '1s'::interval * ("singletonSeconds"::float8 * flo\
or(( date_part('epoch', ${schema}.job_now()) + COALESCE("singletonOffset",0)::float8) / "singletonSeconds"::float8 ))
        ELSE NULL
        END as singleton_on,
      "groupId" as group_id,
      "groupTier" as group_tier,
      COALESCE("expireInSeconds", q.expire_seconds) as expire_seconds,
      COALESCE("deleteAfterSeconds", q.deletion_seconds) as deletion_seconds,
      j.start_after + (COALESCE("retentionSeconds", q.retention_seconds) * interval '1s') as keep_until,
      COALESCE("retryLimit", q.retry_limit) as retry_limit,
      COALESCE("retryDelay", q.retry_delay) as retry_delay,
      COALESCE("retryBackoff", q.retry_backoff, false) as retry_backoff,
      COALESCE("retryDelayMax", q.retry_delay_max) as retry_delay_max,
      q.policy,
      COALESCE("deadLetter", q.dead_letter) as dead_letter,
      COALESCE("heartbeatSeconds", q.heartbeat_seconds) as heartbeat_seconds,
      COALESCE(blocked, false) as blocked,
      COALESCE(blocking, false) as blocking,
      COALESCE("pendingDependencies", 0) as pending_dependencies
    FROM (
      SELECT *,
        CASE
          WHEN ${isDateTimeString('"startAfter"')} THEN CAST("startAfter" as timestamp with time zone)
          ELSE ${schema}.job_now() + CAST(COALESCE("startAfter",'0') as interval)
          END as start_after
      FROM json_to_recordset($1::text::json) as x (
        id uuid,
        priority integer,
        data jsonb,
        "startAfter" text,
        "retryLimit" integer,
        "retryDelay" integer,
        "retryDelayMax" integer,
        "retryBackoff" boolean,
        "singletonKey" text,
        "singletonSeconds" integer,
        "singletonOffset" integer,
        ${slots?'"__singletonSlot" text,':""}
        "groupId" text,
        "groupTier" text,
        "expireInSeconds" integer,
        "deleteAfterSeconds" integer,
        "retentionSeconds" integer,
        "deadLetter" text,
        "heartbeatSeconds" integer,
        blocked boolean,
        blocking boolean,
        "pendingDependencies" integer
      )
    ) j
    JOIN ${schema}.queue q ON q.name = '${name}'
    ON CONFLICT DO NOTHING
    ${returning}
  `;if(!notify){return insert}const comparator=returnId?">= 0":"< 0";return`
    WITH ins AS (
      ${insert}
    ),
    notified AS (
      SELECT pg_notify(${notifyChannelSql(schema)}, '${name}')
      FROM ins WHERE start_after <= ${schema}.job_now() LIMIT 1
    )
    SELECT id FROM ins WHERE (SELECT count(*) FROM notified) ${comparator}
  `}function insertFlowJobs(schema,{table,name},jobs){const insert=insertJobs(schema,{table,name,returnId:true}).replace(
"$1",()=>serializeJsonParam(jobs));return`
    WITH ins AS (
      ${insert}
    )
    SELECT 1 / (CASE WHEN (SELECT count(*) FROM ins) = ${jobs.length} THEN 1 ELSE 0 END)
  `}function failJobsById(schema,table,fenced){const where=`name = $1 AND id = ANY($2::uuid[]) AND state < '${JOB_STATES.
completed}' ${fenced?attemptFence(4):""}`;const output="$3::jsonb";return failJobs(schema,table,where,output,true)}function failJobsByTimeout(schema,table,queues,noAdvisoryLocks){
const where=`state = '${JOB_STATES.active}'
            AND (started_on + expire_seconds * interval '1s') < ${schema}.job_now()
            AND name = ANY(${serializeArrayParam(queues)})`;const output=`'{ "value": { "message": "job timed out" } }':\
:jsonb`;return locked(schema,failJobs(schema,table,where,output),table+"failJobsByTimeout",noAdvisoryLocks)}function failJobsByHeartbeat(schema,table,queues,noAdvisoryLocks){
const where=`state = '${JOB_STATES.active}'
            AND heartbeat_seconds IS NOT NULL
            AND (heartbeat_on + heartbeat_seconds * interval '1s') < ${schema}.job_now()
            AND name = ANY(${serializeArrayParam(queues)})`;const output=`'{ "value": { "message": "job heartbeat timeou\
t" } }'::jsonb`;return locked(schema,failJobs(schema,table,where,output),table+"failJobsByHeartbeat",noAdvisoryLocks)}function touchJobs(schema,table,fenced){
return`
    WITH results AS (
      UPDATE ${schema}.${table}
      SET heartbeat_on = ${schema}.job_now()
      WHERE name = $1
        AND id = ANY($2::uuid[])
        AND state = '${JOB_STATES.active}'
        ${fenced?attemptFence(3):""}
      RETURNING id
    )
    ${settledCountAndIds()}
  `}function failJobs(schema,table,where,output,returnIds=false){return`
    WITH ${failJobsBody(schema,table,where,output)}
    ${returnIds?settledCountAndIds():"SELECT COUNT(*) FROM results"}
  `}function settledCountAndIds(){return"SELECT COUNT(*), COALESCE(array_agg(id), '{}'::uuid[]) AS ids FROM results"}function failJobsBody(schema,table,where,output,forceTerminal=false){
const state=forceTerminal?`'${JOB_STATES.failed}'::${schema}.job_state`:`CASE
          WHEN retry_count < retry_limit THEN '${JOB_STATES.retry}'::${schema}.job_state
          ELSE '${JOB_STATES.failed}'::${schema}.job_state
          END`;const completedOn=forceTerminal?`${schema}.job_now()`:`CASE WHEN retry_count < retry_limit THEN NULL ELSE\
 ${schema}.job_now() END`;return`deleted_jobs AS (
      DELETE FROM ${schema}.${table}
      WHERE ${where}
      RETURNING *
    ),
    retried_jobs AS (
      INSERT INTO ${schema}.${table} (
        id,
        name,
        priority,
        data,
        state,
        retry_limit,
        retry_count,
        retry_delay,
        retry_backoff,
        retry_delay_max,
        start_after,
        started_on,
        singleton_key,
        singleton_on,
        group_id,
        group_tier,
        expire_seconds,
        deletion_seconds,
        created_on,
        completed_on,
        keep_until,
        policy,
        output,
        dead_letter,
        heartbeat_on,
        heartbeat_seconds,
        blocked,
        blocking,
        pending_dependencies,
        source_name,
        source_id,
        source_created_on,
        source_retry_count,
        source_output,
        source_root_id
      )
      SELECT
        id,
        name,
        priority,
        data,
        ${state} as state,
        retry_limit,
        retry_count,
        retry_delay,
        retry_backoff,
        retry_delay_max,
        CASE WHEN retry_count = retry_limit THEN start_after
             WHEN NOT retry_backoff THEN ${schema}.job_now() + retry_delay * interval '1'
             ELSE ${schema}.job_now() + LEAST(
               retry_delay_max,
               GREATEST(retry_delay, 1) * (
                2 ^ LEAST(16, retry_count + 1) / 2 +
                2 ^ LEAST(16, retry_count + 1) / 2 * random()
               )
             ) * interval '1s'
        END as start_after,
        started_on,
        singleton_key,
        singleton_on,
        group_id,
        group_tier,
        expire_seconds,
        deletion_seconds,
        created_on,
        ${completedOn} as completed_on,
        keep_until,
        policy,
        ${output},
        dead_letter,
        NULL as heartbeat_on,
        heartbeat_seconds,
        blocked,
        blocking,
        pending_dependencies,
        source_name,
        source_id,
        source_created_on,
        source_retry_count,
        source_output,
        source_root_id
      FROM deleted_jobs
      ON CONFLICT DO NOTHING
      RETURNING *
    ),
    failed_jobs as (
      INSERT INTO ${schema}.${table} (
        id,
        name,
        priority,
        data,
        state,
        retry_limit,
        retry_count,
        retry_delay,
        retry_backoff,
        retry_delay_max,
        start_after,
        started_on,
        singleton_key,
        singleton_on,
        group_id,
        group_tier,
        expire_seconds,
        deletion_seconds,
        created_on,
        completed_on,
        keep_until,
        policy,
        output,
        dead_letter,
        heartbeat_on,
        heartbeat_seconds,
        blocked,
        blocking,
        pending_dependencies,
        source_name,
        source_id,
        source_created_on,
        source_retry_count,
        source_output,
        source_root_id
      )
      SELECT
        id,
        name,
        priority,
        data,
        '${JOB_STATES.failed}'::${schema}.job_state as state,
        retry_limit,
        retry_count,
        retry_delay,
        retry_backoff,
        retry_delay_max,
        start_after,
        started_on,
        singleton_key,
        singleton_on,
        group_id,
        group_tier,
        expire_seconds,
        deletion_seconds,
        created_on,
        ${schema}.job_now() as completed_on,
        keep_until,
        policy,
        ${output},
        dead_letter,
        NULL as heartbeat_on,
        heartbeat_seconds,
        blocked,
        blocking,
        pending_dependencies,
        source_name,
        source_id,
        source_created_on,
        source_retry_count,
        source_output,
        source_root_id
      FROM deleted_jobs
      WHERE id NOT IN (SELECT id from retried_jobs)
      RETURNING *
    ),
    results as (
      SELECT * FROM retried_jobs
      UNION ALL
      SELECT * FROM failed_jobs
    ),
    dlq_jobs as (
      INSERT INTO ${schema}.job (name, priority, data, retry_limit, retry_backoff, retry_delay, start_after, created_on,\
 keep_until, deletion_seconds,
        expire_seconds, singleton_key, group_id, group_tier, heartbeat_seconds,
        source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id)
      SELECT
        r.dead_letter,
        r.priority,
        r.data,
        q.retry_limit,
        q.retry_backoff,
        q.retry_delay,
        ${schema}.job_now(),
        ${schema}.job_now(),
        ${schema}.job_now() + q.retention_seconds * interval '1s',
        q.deletion_seconds,
        q.expire_seconds,
        r.singleton_key,
        r.group_id,
        r.group_tier,
        q.heartbeat_seconds,
        r.name,
        r.id,
        r.created_on,
        r.retry_count,
        r.output,
        COALESCE(r.source_root_id, r.id)
      FROM results r
        JOIN ${schema}.queue q ON q.name = r.dead_letter
      WHERE state = '${JOB_STATES.failed}'
    )`}function failJobsByIdWithOutputs(schema,table){const where=`name = $1 AND (id, retry_count) IN (SELECT id, retry_\
count FROM output_map) AND state = '${JOB_STATES.active}'`;const output="(SELECT om.output FROM output_map om WHERE om.i\
d = deleted_jobs.id)";return`
    WITH output_map AS (
      SELECT * FROM json_to_recordset($2::text::json) AS x (id uuid, retry_count int, output jsonb)
    ),
    ${failJobsBody(schema,table,where,output)}
    ${settledCountAndIds()}
  `}function deadLetterJobsByIdWithOutputs(schema,table){const where=`name = $1 AND (id, retry_count) IN (SELECT id, ret\
ry_count FROM output_map) AND state = '${JOB_STATES.active}'`;const output="(SELECT om.output FROM output_map om WHERE o\
m.id = deleted_jobs.id)";return`
    WITH output_map AS (
      SELECT * FROM json_to_recordset($2::text::json) AS x (id uuid, retry_count int, output jsonb)
    ),
    ${failJobsBody(schema,table,where,output,true)}
    ${settledCountAndIds()}
  `}var REBOUND_TIMESTAMPS_AS_TEXT=`started_on::text as started_on_text,
      singleton_on::text as singleton_on_text,
      created_on::text as created_on_text,
      keep_until::text as keep_until_text,
      start_after::text as start_after_text,
      source_created_on::text as source_created_on_text`;function selectJobsToFailById(schema,table,fenced){return{text:`\
SELECT *, ${REBOUND_TIMESTAMPS_AS_TEXT}
      FROM ${schema}.${table} WHERE name = $1 AND id = ANY($2::uuid[]) AND state < '${JOB_STATES.completed}' ${fenced?attemptFence(
3):""}`,values:[]}}function deleteJobsToFail(schema,table){return{text:`DELETE FROM ${schema}.${table} WHERE name = $1 A\
ND id = ANY($2::uuid[])`,values:[]}}function selectJobsToFailByTimeout(schema,table,queues){return{text:`SELECT *, ${REBOUND_TIMESTAMPS_AS_TEXT}\

      FROM ${schema}.${table}
      WHERE state = '${JOB_STATES.active}'
        AND (started_on + expire_seconds * interval '1s') < ${schema}.job_now()
        AND name = ANY(${serializeArrayParam(queues)})`,values:[]}}function selectJobsToFailByHeartbeat(schema,table,queues){
return{text:`SELECT *, ${REBOUND_TIMESTAMPS_AS_TEXT}
      FROM ${schema}.${table}
      WHERE state = '${JOB_STATES.active}'
        AND heartbeat_seconds IS NOT NULL
        AND (heartbeat_on + heartbeat_seconds * interval '1s') < ${schema}.job_now()
        AND name = ANY(${serializeArrayParam(queues)})`,values:[]}}function deleteJobsByIds(schema,table){return{text:`D\
ELETE FROM ${schema}.${table} WHERE id = ANY($1::uuid[])`,values:[]}}function completeJobsDistributed(schema,table,includeQueued,fenced){
return`
    ${completeJobsUpdate(schema,table,includeQueued,fenced)}
    RETURNING id
  `}function decrementDependents(schema){return`
    WITH decremented AS (
      SELECT d.child_name, d.child_id, COUNT(*)::int AS n
      FROM ${schema}.job_dependency d
      WHERE d.parent_name = $1
        AND d.parent_id = ANY($2::uuid[])
      GROUP BY d.child_name, d.child_id
    ),
    ${lockedChildrenCte(schema)}
    ${unblockChildrenUpdate(schema)}
  `}var FLOW_BATCH_SIZE=1e3;function resolveFlowJobs(schema,table,names){return{text:`
    WITH locked_parents AS (
      SELECT j.name, j.id
      FROM ${schema}.${table} j
      WHERE j.blocking
        AND j.state = '${JOB_STATES.completed}'
        AND j.name = ANY($1::text[])
      ORDER BY j.name, j.id
      FOR UPDATE OF j SKIP LOCKED
      LIMIT ${FLOW_BATCH_SIZE}
    ),
    decremented AS (
      SELECT d.child_name, d.child_id, COUNT(*)::int AS n
      FROM ${schema}.job_dependency d
      JOIN locked_parents p ON d.parent_name = p.name
        AND d.parent_id = p.id
      GROUP BY d.child_name, d.child_id
    ),
    ${lockedChildrenCte(schema)},
    unblocked AS (
      ${unblockChildrenUpdate(schema)}
      RETURNING 1
    ),
    cleared AS (
      UPDATE ${schema}.${table} j
      SET blocking = false
      FROM locked_parents p
      WHERE j.name = p.name
        AND j.id = p.id
      RETURNING 1
    )
    SELECT COUNT(*)::int AS resolved FROM cleared
  `,values:[names]}}function selectBlockingParents(schema,table,names,noSkipLocked){return{text:`
      SELECT name, id
      FROM ${schema}.${table}
      WHERE blocking
        AND state = '${JOB_STATES.completed}'
        AND name = ANY($1::text[])
      ORDER BY name, id
      FOR UPDATE${noSkipLocked?"":" SKIP LOCKED"}
      LIMIT ${FLOW_BATCH_SIZE}
    `,values:[names]}}function clearBlocking(schema){return`
    UPDATE ${schema}.job
    SET blocking = false
    WHERE name = $1
      AND id = ANY($2::uuid[])
  `}function insertRetryJob(schema,table){return`
    INSERT INTO ${schema}.${table} (
      id, name, priority, data, state, retry_limit, retry_count, retry_delay,
      retry_backoff, retry_delay_max, start_after, started_on, singleton_key, singleton_on,
      group_id, group_tier, expire_seconds, deletion_seconds, created_on, completed_on,
      keep_until, policy, output, dead_letter,
      heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies,
      source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id
    ) VALUES (
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
      $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35
    ) ON CONFLICT DO NOTHING
    RETURNING id
  `}function insertDeadLetterJob(schema){return`
    INSERT INTO ${schema}.job (name, data, priority, retry_limit, retry_backoff, retry_delay, start_after, created_on, k\
eep_until, deletion_seconds,
      expire_seconds, singleton_key, group_id, group_tier, heartbeat_seconds,
      source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id)
    SELECT $1, $2, $9, q.retry_limit, q.retry_backoff, q.retry_delay, ${schema}.job_now(), ${schema}.job_now(), ${schema}\
.job_now() + q.retention_seconds * interval '1s', q.deletion_seconds,
      q.expire_seconds, $8, $10, $11, q.heartbeat_seconds,
      $4, $5, $6, $7, $3, COALESCE($12::uuid, $5::uuid)
    FROM ${schema}.queue q WHERE q.name = $1
  `}function redriveWhere(schema,table){return`j.name = $1
        AND j.state < '${JOB_STATES.active}'
        AND NOT EXISTS (
          SELECT 1 FROM ${schema}.${table} k
          WHERE j.policy = '${QUEUE_POLICIES.key_strict_fifo}'
            AND k.name = j.name
            AND k.singleton_key = j.singleton_key
            AND k.policy = '${QUEUE_POLICIES.key_strict_fifo}'
            AND k.state IN ('${JOB_STATES.active}', '${JOB_STATES.retry}', '${JOB_STATES.failed}')
        )
        AND ($3::text IS NULL OR j.source_name = $3)
        AND ($4::jsonb IS NULL OR j.data @> $4::jsonb)
        AND ($5::timestamptz IS NULL OR j.created_on < $5)
        AND ($6::uuid[] IS NULL OR j.id = ANY($6::uuid[]))`}var REDRIVE_INSERT_COLUMNS=`(id, name, data, priority, retry\
_limit, retry_backoff, retry_delay, retry_delay_max,
       expire_seconds, start_after, created_on, keep_until, deletion_seconds, policy, singleton_key, group_id, group_tie\
r,
       heartbeat_seconds, dead_letter, source_root_id)`;function redriveInsertValues(schema,newId,destination){return`${newId}\
, COALESCE(${destination}, m.source_name), m.data, m.priority, q.retry_limit, q.retry_backoff,
      q.retry_delay, q.retry_delay_max, q.expire_seconds, ${schema}.job_now(), ${schema}.job_now(),
      ${schema}.job_now() + q.retention_seconds * interval '1s', q.deletion_seconds, q.policy,
      m.singleton_key, m.group_id, m.group_tier, q.heartbeat_seconds, q.dead_letter,
      COALESCE(m.source_root_id, m.source_id)`}function redriveConflictFailable(schema,table,conflicts){return`(j.policy\
 IS DISTINCT FROM '${QUEUE_POLICIES.key_strict_fifo}' OR j.singleton_key IS NULL OR j.id IN (
        SELECT DISTINCT ON (m.singleton_key) m.id
        FROM ${schema}.${table} m
        WHERE ${conflicts} AND m.policy = '${QUEUE_POLICIES.key_strict_fifo}'
        ORDER BY m.singleton_key, m.created_on, m.id
      ))`}function redriveConflictSet(schema){return`state = '${JOB_STATES.failed}',
      completed_on = ${schema}.job_now(),
      source_output = COALESCE(j.source_output, j.output),
      output = jsonb_build_object(
        'message', 'Not redriven: queue ' || q.name || CASE
          WHEN j.singleton_key IS NULL THEN ' already has a job this one conflicts with'
          ELSE ' already has a job with singletonKey ' || j.singleton_key
        END || ' under its ' || COALESCE(q.policy, 'standard') || ' policy',
        'reason', 'redrive_conflict',
        'destination', q.name,
        'policy', q.policy,
        'singletonKey', j.singleton_key
      )`}function redriveJobs(schema,table){return`
    WITH candidates AS (
      SELECT j.id, gen_random_uuid() AS new_id
      FROM ${schema}.${table} j
      JOIN ${schema}.queue q ON q.name = COALESCE($2, j.source_name)
      WHERE ${redriveWhere(schema,table)}
      ORDER BY j.created_on
      LIMIT $7
      FOR UPDATE OF j SKIP LOCKED
    ),
    ins AS (
      INSERT INTO ${schema}.job ${REDRIVE_INSERT_COLUMNS}
      SELECT ${redriveInsertValues(schema,"c.new_id","$2")}
      FROM candidates c
        JOIN ${schema}.${table} m ON m.id = c.id
        JOIN ${schema}.queue q ON q.name = COALESCE($2, m.source_name)
      ORDER BY m.created_on
      ON CONFLICT DO NOTHING
      RETURNING id
    ),
    settled AS (
      SELECT c.id, (i.id IS NOT NULL) AS inserted
      FROM candidates c LEFT JOIN ins i ON i.id = c.new_id
    ),
    removed AS (
      DELETE FROM ${schema}.${table}
      WHERE id IN (SELECT id FROM settled WHERE inserted)
    ),
    conflicted AS (
      UPDATE ${schema}.${table} j
      SET ${redriveConflictSet(schema)}
      FROM settled s, ${schema}.queue q
      WHERE j.id = s.id
        AND NOT s.inserted
        AND q.name = COALESCE($2, j.source_name)
        AND ${redriveConflictFailable(schema,table,"m.id IN (SELECT id FROM settled WHERE NOT inserted)")}
    )
    SELECT count(*)::int AS moved FROM ins
  `}function selectRedriveCandidates(schema,table){return`
    SELECT j.id, gen_random_uuid() AS new_id
    FROM ${schema}.${table} j
    WHERE ${redriveWhere(schema,table)}
      AND EXISTS (SELECT 1 FROM ${schema}.queue q WHERE q.name = COALESCE($2, j.source_name))
    ORDER BY j.created_on
    LIMIT $7
    FOR UPDATE
  `}function insertRedrivenJobs(schema,table){return`
    INSERT INTO ${schema}.job ${REDRIVE_INSERT_COLUMNS}
    SELECT ${redriveInsertValues(schema,"p.new_id","$2")}
    FROM unnest($1::uuid[], $3::uuid[]) AS p (id, new_id)
      JOIN ${schema}.${table} m ON m.id = p.id
      JOIN ${schema}.queue q ON q.name = COALESCE($2, m.source_name)
    ORDER BY m.created_on
    ON CONFLICT DO NOTHING
    RETURNING id
  `}function failRedriveConflicts(schema,table){return`
    UPDATE ${schema}.${table} j
    SET ${redriveConflictSet(schema)}
    FROM ${schema}.queue q
    WHERE j.id = ANY($1::uuid[])
      AND q.name = COALESCE($2, j.source_name)
      AND ${redriveConflictFailable(schema,table,"m.id = ANY($1::uuid[])")}
  `}function previewRedrive(schema,table){return`
    SELECT COALESCE($2, j.source_name) AS destination,
      (q.name IS NOT NULL) AS routable,
      count(*)::int AS count
    FROM ${schema}.${table} j
    LEFT JOIN ${schema}.queue q ON q.name = COALESCE($2, j.source_name)
    WHERE ${redriveWhere(schema,table)}
    GROUP BY 1, 2
  `}function deletion(schema,table,queues,noAdvisoryLocks){const sql2=`
    DELETE FROM ${schema}.${table}
    WHERE name = ANY(${serializeArrayParam(queues)})
      AND
      (
        (deletion_seconds > 0 AND completed_on + deletion_seconds * interval '1s' < ${schema}.job_now())
        OR
        (state < '${JOB_STATES.active}' AND keep_until < ${schema}.job_now())
      )
  `;return locked(schema,sql2,table+"deletion",noAdvisoryLocks)}function retryJobs(schema,table){return`
    WITH results as (
      UPDATE ${schema}.job
      SET state = '${JOB_STATES.retry}',
        retry_limit = retry_limit + 1,
        completed_on = NULL
      WHERE name = $1
        AND id = ANY($2::uuid[])
        AND state = '${JOB_STATES.failed}'
      RETURNING 1
    )
    SELECT COUNT(*) from results
  `}function updateJob(schema,table,name,by,match,notify=false){const targetPredicate=by==="id"?"job.id = (o.data->>'id'\
)::uuid":"job.singleton_key = o.data->>'singletonKey'";const ordering=by==="singletonKey"&&match!=="all"?`ORDER BY job.c\
reated_on ${match==="oldest"?"ASC":"DESC"} LIMIT 1`:"";const resolvedStartAfter=`
        CASE WHEN (o.data -> 'startAfter') IS NOT NULL
          THEN CASE WHEN ${isDateTimeString("o.data->>'startAfter'")}
                 THEN (o.data->>'startAfter')::timestamptz
                 ELSE ${schema}.job_now() + CAST(o.data->>'startAfter' AS interval) END
          ELSE job.start_after END`;const tail=notify?`, notified AS (
      SELECT pg_notify(${notifyChannelSql(schema)}, '${name}')
      FROM upd WHERE start_after <= ${schema}.job_now() LIMIT 1
    )
    SELECT id FROM upd WHERE (SELECT count(*) FROM notified) >= 0`:`
    SELECT id FROM upd`;return`
    WITH o AS (SELECT $1::text::jsonb AS data),
    target AS (
      SELECT job.id
      FROM ${schema}.${table} job, o
      WHERE job.name = '${name}'
        AND job.state < '${JOB_STATES.active}'
        AND ${targetPredicate}
      ${ordering}
    ),
    upd AS (
      UPDATE ${schema}.${table} job
      SET data = CASE WHEN (o.data -> 'data') IS NOT NULL THEN o.data->'data' ELSE job.data END,
          priority = COALESCE((o.data->>'priority')::int, job.priority),
          start_after = ${resolvedStartAfter},
          keep_until = CASE
            WHEN (o.data -> 'retentionSeconds') IS NOT NULL
              THEN (${resolvedStartAfter}) + ((o.data->>'retentionSeconds')::int * interval '1s')
            WHEN (o.data -> 'startAfter') IS NOT NULL
              THEN (${resolvedStartAfter}) + (job.keep_until - job.start_after)
            ELSE job.keep_until END,
          expire_seconds = COALESCE((o.data->>'expireInSeconds')::int, job.expire_seconds),
          deletion_seconds = COALESCE((o.data->>'deleteAfterSeconds')::int, job.deletion_seconds),
          retry_limit = COALESCE((o.data->>'retryLimit')::int, job.retry_limit),
          retry_delay = COALESCE((o.data->>'retryDelay')::int, job.retry_delay),
          retry_backoff = COALESCE((o.data->>'retryBackoff')::bool, job.retry_backoff),
          retry_delay_max = CASE WHEN (o.data -> 'retryDelayMax') IS NOT NULL THEN (o.data->>'retryDelayMax')::int ELSE \
job.retry_delay_max END,
          dead_letter = CASE WHEN (o.data -> 'deadLetter') IS NOT NULL THEN o.data->>'deadLetter' ELSE job.dead_letter E\
ND,
          heartbeat_seconds = CASE WHEN (o.data -> 'heartbeatSeconds') IS NOT NULL THEN (o.data->>'heartbeatSeconds')::i\
nt ELSE job.heartbeat_seconds END,
          group_id = CASE WHEN (o.data -> 'groupId') IS NOT NULL THEN o.data->>'groupId' ELSE job.group_id END,
          group_tier = CASE WHEN (o.data -> 'groupTier') IS NOT NULL THEN o.data->>'groupTier' ELSE job.group_tier END
      FROM o
      WHERE job.id IN (SELECT id FROM target)
        AND job.state < '${JOB_STATES.active}'
      RETURNING job.id, job.start_after
    )${tail}
  `}var DELTA_LAG="interval '10 seconds'";var DELTA_RESET_MAX_SECONDS=2*60*60;var DELTA_RESET_MAX=`interval '${DELTA_RESET_MAX_SECONDS}\
 seconds'`;var DELTA_TRUE_UP_MAX="interval '1 hour'";function deltaResetMax(intervalSeconds){return intervalSeconds*2>DELTA_RESET_MAX_SECONDS?
`interval '${intervalSeconds*2} seconds'`:DELTA_RESET_MAX}function deltaWindowEnd(schema,lag=DELTA_LAG){return`(${schema}\
.job_now() - ${lag})`}function deltaWindowStart(alias,end,resetMax=DELTA_RESET_MAX){return`(CASE WHEN ${alias}.delta_on \
> ${end} - ${resetMax} THEN ${alias}.delta_on END)`}function throughputAssignments(end,resetMax){const start=deltaWindowStart(
"queue",end,resetMax);const seconds=`round(extract(epoch from (${end} - ${start})))::int`;return`
      created_delta = COALESCE(stats."createdDelta", 0),
      completed_delta = COALESCE(stats."completedDelta", 0),
      failed_delta = COALESCE(stats."failedDelta", 0),
      delta_seconds = CASE WHEN ${seconds} < 0 THEN 0 ELSE ${seconds} END,
      delta_on = GREATEST(queue.delta_on, ${end}),`}function trueUpAnchor(schema,trueUpMax){return`s.delta_on <= ${schema}\
.job_now() - ${trueUpMax} OR s.delta_seconds IS NULL`}function trueUpRetentionFloor(schema,q2){return`s.delta_on >= ${schema}\
.job_now() - (CASE WHEN ${q2}.deletion_seconds > 0 AND ${q2}.deletion_seconds < ${q2}.retention_seconds
    THEN ${q2}.deletion_seconds ELSE ${q2}.retention_seconds END) * interval '1s'`}function trueUpAnchorAt(b2,f2){return`\
CASE WHEN ${f2} IS NULL OR ${f2} > ${b2} THEN ${f2} ELSE ${b2} END`}function trueUpReach(schema,trueUpMax){return`s.capt\
ured_on >= ${schema}.job_now() - 2 * ${trueUpMax} AND s.delta_on IS NOT NULL`}function trueUpWindows(schema,queues,trueUpMax=DELTA_TRUE_UP_MAX){
return`
      SELECT x.id, x.captured_on, x.name, x.delta_on, x.created_delta, x.completed_delta, x.failed_delta,
        ${trueUpAnchorAt("x.b","x.f")} AS h
      FROM (
        SELECT s.id, s.captured_on, s.name, s.delta_on, s.created_delta, s.completed_delta, s.failed_delta,
          COALESCE(
            max(CASE WHEN ${trueUpAnchor(schema,trueUpMax)} THEN s.delta_on END)
              OVER (PARTITION BY s.name),
            min(s.delta_on) OVER (PARTITION BY s.name)
          ) AS b,
          min(CASE WHEN ${trueUpRetentionFloor(schema,"q")} THEN s.delta_on END) OVER (PARTITION BY s.name) AS f
        FROM ${schema}.queue_stats s
        JOIN ${schema}.queue q ON q.name = s.name
        WHERE s.name = ANY(${queues}) AND ${trueUpReach(schema,trueUpMax)}
      ) x`}function trueUpSettled(schema,alias,trueUpMax=DELTA_TRUE_UP_MAX){return`
            LEFT JOIN LATERAL (
              SELECT ${trueUpAnchorAt("x.b","x.f")} AS h
              FROM (
                SELECT COALESCE(
                    max(s.delta_on) FILTER (WHERE ${trueUpAnchor(schema,trueUpMax)}),
                    min(s.delta_on)
                  ) AS b,
                  min(s.delta_on) FILTER (WHERE ${trueUpRetentionFloor(schema,alias)}) AS f
                FROM ${schema}.queue_stats s
                WHERE s.name = ${alias}.name AND ${trueUpReach(schema,trueUpMax)}
              ) x
            ) a ON true
            LEFT JOIN LATERAL (
              SELECT max(s.delta_on) AS top,
                sum(s.created_delta + s.completed_delta + s.failed_delta) AS settled
              FROM ${schema}.queue_stats s
              WHERE s.name = ${alias}.name AND ${trueUpReach(schema,trueUpMax)} AND s.delta_on > a.h
            ) t ON true`}function trueUpQueueStats(schema,table,queues,noAdvisoryLocks,window={}){const names=serializeArrayParam(
queues);const trueUpMax=window.trueUpMax??DELTA_TRUE_UP_MAX;const lock=tryAdvisoryLock(schema,"queue-stats",noAdvisoryLocks);
const sql2=`
    WITH ${lock.cte}win AS (
      SELECT w.*, row_number() OVER (PARTITION BY w.name ORDER BY w.delta_on, w.captured_on) AS i
      FROM (${trueUpWindows(schema,names,trueUpMax)}) w
      WHERE w.delta_on > w.h${lock.guard}
    ),
    th AS (
      SELECT w.name, w.h, array_prepend(w.h, array_agg(w.delta_on ORDER BY w.i)) AS t
      FROM win w
      GROUP BY w.name, w.h
    ),
    binned AS (
      SELECT j.name,
        CASE WHEN j.created_on >= th.h THEN width_bucket(j.created_on, th.t) END AS cb,
        CASE WHEN j.state IN ('${JOB_STATES.completed}', '${JOB_STATES.failed}') AND j.completed_on >= th.h
          THEN width_bucket(j.completed_on, th.t) END AS fb,
        j.state
      FROM ${schema}.${table} j
      JOIN th ON th.name = j.name
      WHERE j.name = ANY(${names})
    ),
    grouped AS (
      SELECT name, cb, fb, state, count(*)::int AS n
      FROM binned
      WHERE cb IS NOT NULL OR fb IS NOT NULL
      GROUP BY 1, 2, 3, 4
    ),
    counted AS (
      SELECT name, cb AS i, sum(n)::int AS created, 0 AS completed, 0 AS failed
      FROM grouped WHERE cb IS NOT NULL GROUP BY 1, 2
      UNION ALL
      SELECT name, fb AS i, 0,
        COALESCE(sum(n) FILTER (WHERE state = '${JOB_STATES.completed}'), 0)::int,
        COALESCE(sum(n) FILTER (WHERE state = '${JOB_STATES.failed}'), 0)::int
      FROM grouped WHERE fb IS NOT NULL GROUP BY 1, 2
    ),
    recount AS (
      SELECT w.id, w.captured_on,
        sum(c.created)::int AS created, sum(c.completed)::int AS completed, sum(c.failed)::int AS failed
      FROM win w
      JOIN counted c ON c.name = w.name AND c.i = w.i
      GROUP BY w.id, w.captured_on
    ),
    raised AS (
      UPDATE ${schema}.queue_stats s SET
        created_delta = GREATEST(s.created_delta, r.created),
        completed_delta = GREATEST(s.completed_delta, r.completed),
        failed_delta = GREATEST(s.failed_delta, r.failed)
      FROM recount r
      WHERE s.id = r.id AND s.captured_on = r.captured_on${lock.guard}
        AND (r.created > s.created_delta OR r.completed > s.completed_delta OR r.failed > s.failed_delta)
      RETURNING s.id
    )
    SELECT (SELECT count(*) FROM raised)::int AS raised, ${PIN_SECONDS_SQL} as "pinSeconds"
    WHERE true${lock.guard}
  `;return transaction(sql2)}function getQueueStats(schema,table,queues,throughput=false,window={}){const end=deltaWindowEnd(
schema,window.lag);const inWindow=column=>`j.${column} >= ${deltaWindowStart("q",end,window.resetMax)} AND j.${column} <\
 ${end}`;const settled=column=>`j.${column} >= q.h AND j.${column} < q.top`;const counters=throughput?{select:`
        "createdDelta",
        "completedDelta",
        "failedDelta",
        COALESCE("recount" > "settled", false) as "trueUp",`,counts:`
            (count(*) FILTER (WHERE ${inWindow("created_on")}))::int as "createdDelta",
            (count(*) FILTER (WHERE j.state = '${JOB_STATES.completed}' AND ${inWindow("completed_on")}))::int as "compl\
etedDelta",
            (count(*) FILTER (WHERE j.state = '${JOB_STATES.failed}' AND ${inWindow("completed_on")}))::int as "failedDe\
lta",
            sum(
              CASE WHEN ${settled("created_on")} THEN 1 ELSE 0 END +
              CASE WHEN ${settled("completed_on")} AND j.state IN ('${JOB_STATES.completed}', '${JOB_STATES.failed}') TH\
EN 1 ELSE 0 END
            )::int as "recount",
            max(q.settled) as "settled",`,join:`JOIN (
            SELECT q.name, q.delta_on, a.h, t.top, t.settled
            FROM ${schema}.queue q${trueUpSettled(schema,"q",window.trueUpMax)}
            WHERE q.name = ANY($1::text[])
          ) q ON q.name = j.name`}:{select:"",counts:"",join:""};return{text:`
    SELECT
        name,
        "deferredCount",
        "queuedCount",
        GREATEST("queuedCount" - "deferredCount", 0) as "readyCount",
        "activeCount",
        "failedCount",
        "totalCount",${counters.select}
        "singletonsActive"
      FROM (
        SELECT
            j.name,
            (count(*) FILTER (WHERE j.start_after > ${schema}.job_now() AND j.state < '${JOB_STATES.active}'))::int as "\
deferredCount",
            (count(*) FILTER (WHERE j.state < '${JOB_STATES.active}'))::int as "queuedCount",
            (count(*) FILTER (WHERE j.state = '${JOB_STATES.active}'))::int as "activeCount",
            (count(*) FILTER (WHERE j.state = '${JOB_STATES.failed}'))::int as "failedCount",
            count(*)::int as "totalCount",${counters.counts}
            array_agg(j.singleton_key) FILTER (WHERE j.policy IN ('${QUEUE_POLICIES.singleton}','${QUEUE_POLICIES.stately}\
') AND j.state = '${JOB_STATES.active}') as "singletonsActive"
          FROM ${schema}.${table} j
          ${counters.join}
          WHERE j.name = ANY($1::text[])
          GROUP BY 1
      ) stats
  `,values:[queues]}}var READY_HISTORY_SIZE=60;var PIN_SECONDS_SQL="EXTRACT(EPOCH FROM (clock_timestamp() - transaction_\
timestamp()))::float8";function cacheQueueStats(schema,table,queues,noAdvisoryLocks,throughput,window={}){const statsQuery=getQueueStats(
schema,table,queues,throughput,window);const throughputSet=throughput?throughputAssignments(deltaWindowEnd(schema,window.
lag),window.resetMax):"";const statsText=statsQuery.text.replaceAll("$1::text[]",serializeArrayParam(queues));const lock=tryAdvisoryLock(
schema,"queue-stats",noAdvisoryLocks);const sql2=`
    WITH ${lock.cte}stats AS (SELECT * FROM (${statsText}) agg WHERE true${lock.guard})
    UPDATE ${schema}.queue SET
      deferred_count = COALESCE(stats."deferredCount", 0),
      queued_count = COALESCE(stats."queuedCount", 0),
      ready_count = COALESCE(stats."readyCount", 0),
      active_count = COALESCE(stats."activeCount", 0),
      failed_count = COALESCE(stats."failedCount", 0),
      total_count = COALESCE(stats."totalCount", 0),${throughputSet}
      singletons_active = stats."singletonsActive",
      monitor_on = ${schema}.job_now(),
      ready_history = (
        SELECT COALESCE(array_agg(v ORDER BY ord), '{}'::int[])
        FROM (
          SELECT v, ord
          FROM (
            SELECT COALESCE(stats."readyCount", 0)::int AS v, 0::bigint AS ord
            UNION ALL
            SELECT h.v, h.ord
            FROM unnest(COALESCE(queue.ready_history, '{}'::int[])) WITH ORDINALITY AS h(v, ord)
          ) merged
          ORDER BY ord
          LIMIT ${READY_HISTORY_SIZE}
        ) capped
      )
    FROM (
      SELECT name
      FROM ${schema}.queue
      WHERE name = ANY(${serializeArrayParam(queues)})${lock.guard}
        AND (SELECT count(*) FROM stats) >= 0
      ORDER BY name
      FOR NO KEY UPDATE
    ) q
    LEFT JOIN stats ON stats.name = q.name
    WHERE queue.name = q.name${lock.guard}
    RETURNING
      queue.name,
      queue.queued_count as "queuedCount",
      queue.warning_queued as "warningQueueSize",${throughput?'\n      COALESCE(stats."trueUp", false) as "trueUp",':""}\

      ${PIN_SECONDS_SQL} as "pinSeconds"
  `;return transaction(sql2)}function refreshQueueStats(schema,table,name,options={}){const statsQuery=getQueueStats(schema,
table,[name]);const statsText=statsQuery.text.replace("$1::text[]",serializeArrayParam([name]));const lock=tryAdvisoryLock(
schema,"queue-stats",options.noAdvisoryLocks||options.firstCapture);return`
    WITH ${lock.cte}stats AS (SELECT * FROM (${statsText}) agg WHERE true${lock.guard})
    UPDATE ${schema}.queue SET
      deferred_count = COALESCE(stats."deferredCount", 0),
      queued_count = COALESCE(stats."queuedCount", 0),
      ready_count = COALESCE(stats."readyCount", 0),
      active_count = COALESCE(stats."activeCount", 0),
      failed_count = COALESCE(stats."failedCount", 0),
      total_count = COALESCE(stats."totalCount", 0),
      singletons_active = stats."singletonsActive",
      monitor_on = ${schema}.job_now()
    FROM (
      SELECT q.name
      FROM unnest(${serializeArrayParam([name])}) AS q(name)
    ) q
    LEFT JOIN stats ON stats.name = q.name
    WHERE queue.name = q.name${lock.guard}
    RETURNING
      queue.name,
      queue.deferred_count as "deferredCount",
      queue.queued_count as "queuedCount",
      queue.ready_count as "readyCount",
      queue.active_count as "activeCount",
      queue.failed_count as "failedCount",
      queue.total_count as "totalCount",
      queue.created_delta as "createdDelta",
      queue.completed_delta as "completedDelta",
      queue.failed_delta as "failedDelta",
      queue.delta_seconds as "deltaSeconds",
      queue.delta_on as "deltaOn",
      queue.monitor_on as "capturedOn"
  `}function serializeArrayParam(values){const escaped=values.map(v2=>`'${v2.replace(SINGLE_QUOTE_REGEX2,"''")}'`);return`\
ARRAY[${escaped.join(",")}]::text[]`}function serializeJsonParam(value){return`'${JSON.stringify(value).replace(SINGLE_QUOTE_REGEX2,
"''")}'`}function transaction(query){const sql2=Array.isArray(query)?query.join(";\n"):query;return`
    BEGIN;
    SET LOCAL lock_timeout = 30000;
    SET LOCAL idle_in_transaction_session_timeout = 30000;
    ${sql2};
    COMMIT;
  `}function locked(schema,query,key,noAdvisoryLocks){const statements=Array.isArray(query)?query:[query];return transaction(
noAdvisoryLocks?statements:[advisoryLock(schema,key),...statements])}function advisoryLockKey(schema,key){return`('x' ||\
 encode(sha224((current_database() || '.pgboss.${normalizeSchemaName(schema)}${key||""}')::bytea), 'hex'))::bit(64)::big\
int`}function advisoryLock(schema,key){return`SELECT pg_advisory_xact_lock(${advisoryLockKey(schema,key)})`}function tryAdvisoryLock(schema,key,noAdvisoryLocks){
if(noAdvisoryLocks){return{cte:"",guard:""}}return{cte:`lock AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${advisoryLockKey(
schema,key)}) AS got),
    `,guard:" AND (SELECT got FROM lock)"}}function assertMigration(schema,version){return`SELECT version::int/(version:\
:int-${version}) from ${schema}.version`}function findJobs(schema,table,options){const{queued,byKey,byData,byId}=options;
let paramIndex=1;const whereConditions=[];if(byId){++paramIndex;whereConditions.push(`AND id = $${paramIndex}`)}if(byKey){
++paramIndex;whereConditions.push(`AND singleton_key = $${paramIndex}`)}if(byData){++paramIndex;whereConditions.push(`AN\
D data @> $${paramIndex}`)}if(queued){whereConditions.push(`AND state < '${JOB_STATES.active}'`)}return`
    SELECT ${JOB_COLUMNS_ALL}
    FROM ${schema}.${table}
    WHERE name = $1
      ${whereConditions.join("\n      ")}
    `}function getJobById(schema,table){return`
    SELECT ${JOB_COLUMNS_ALL}
    FROM ${schema}.${table}
    WHERE name = $1
      AND id = $2
    `}function insertDependencies(schema,deps){const sql2=`
    INSERT INTO ${schema}.job_dependency (child_name, child_id, parent_name, parent_id)
    SELECT child_name, child_id, parent_name, parent_id
    FROM json_to_recordset($1::text::json) AS x (
      child_name text,
      child_id uuid,
      parent_name text,
      parent_id uuid
    )
    ON CONFLICT DO NOTHING
  `;return deps?sql2.replace("$1",()=>serializeJsonParam(deps)):sql2}function getDependencies(schema){return`
    SELECT parent_name as "parentName", parent_id as "parentId"
    FROM ${schema}.job_dependency
    WHERE child_name = $1 AND child_id = $2
  `}function getDependents(schema){return`
    SELECT child_name as "childName", child_id as "childId"
    FROM ${schema}.job_dependency
    WHERE parent_name = $1 AND parent_id = $2
  `}function cleanupDependencies(schema,table,queues,noAdvisoryLocks){const sql2=`
    DELETE FROM ${schema}.job_dependency
    WHERE (child_name = ANY(${serializeArrayParam(queues)})
      AND NOT EXISTS (
        SELECT 1 FROM ${schema}.${table} j
        WHERE j.name = child_name AND j.id = child_id
      ))
    OR (parent_name = ANY(${serializeArrayParam(queues)})
      AND NOT EXISTS (
        SELECT 1 FROM ${schema}.${table} j
        WHERE j.name = parent_name AND j.id = parent_id
      ))
  `;return locked(schema,sql2,table+"cleanupDependencies",noAdvisoryLocks)}function getBlockedKeys(schema,table){return`\

    SELECT DISTINCT singleton_key as "singletonKey"
    FROM ${schema}.${table}
    WHERE name = $1
      AND state = '${JOB_STATES.failed}'
      AND policy = '${QUEUE_POLICIES.key_strict_fifo}'
    `}function getNextBamCommand(schema,{useLiveness=false}={}){if(!useLiveness){return`
      WITH candidate AS (
        SELECT c.id, c.status AS prior_status, c.started_on AS prior_started_on
        FROM ${schema}.bam c
        WHERE (
          c.status IN ('pending', 'failed')
          OR (c.status = 'in_progress' AND c.started_on < ${schema}.job_now() - interval '${BAM_STALE_SECONDS} seconds')\

        )
        AND NOT EXISTS (
          SELECT 1 FROM ${schema}.bam g
          WHERE g.status = 'in_progress' AND g.started_on >= ${schema}.job_now() - interval '${BAM_STALE_SECONDS} second\
s'
        )
        ORDER BY (c.status != 'pending'), c.created_on
        LIMIT 1
      )
      UPDATE ${schema}.bam b
      SET status = 'in_progress', started_on = ${schema}.job_now()
      FROM candidate
      WHERE b.id = candidate.id
        AND b.status = candidate.prior_status
        AND b.started_on IS NOT DISTINCT FROM candidate.prior_started_on
      RETURNING b.id, b.name, b.version, b.status, b.queue, b.table_name as "table", b.command, b.error,
                b.created_on as "createdOn", b.started_on as "startedOn", b.completed_on as "completedOn",
                (candidate.prior_status <> 'pending') as reattempt,
                candidate.prior_status as "priorStatus", candidate.prior_started_on::text as "priorStartedOn",
                b.started_on::text as "claimedStartedOn"
    `}const liveBuild=tableCol=>`EXISTS (
    SELECT 1 FROM pg_locks l
    WHERE l.locktype = 'relation'
      AND l.granted
      AND l.mode = 'ShareUpdateExclusiveLock'
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND l.relation = to_regclass(quote_ident('${resolveSchemaName(schema)}') || '.' || quote_ident(${tableCol}))
  )`;const stale=(startedCol,tableCol)=>`(
    ${startedCol} < ${schema}.job_now() - interval '${BAM_LIVENESS_GRACE_SECONDS} seconds'
    AND NOT ${liveBuild(tableCol)}
  )`;return`
    WITH candidate AS (
      SELECT c.id, c.status AS prior_status, c.started_on AS prior_started_on
      FROM ${schema}.bam c
      WHERE (
        c.status IN ('pending', 'failed')
        OR (c.status = 'in_progress' AND ${stale("c.started_on","c.table_name")})
      )
      AND NOT EXISTS (
        SELECT 1 FROM ${schema}.bam g
        WHERE g.status = 'in_progress' AND NOT ${stale("g.started_on","g.table_name")}
      )
      ORDER BY (c.status != 'pending'), c.created_on
      LIMIT 1
      FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE ${schema}.bam b
    SET status = 'in_progress', started_on = ${schema}.job_now()
    FROM candidate
    WHERE b.id = candidate.id
      AND b.status = candidate.prior_status
      AND b.started_on IS NOT DISTINCT FROM candidate.prior_started_on
    RETURNING b.id, b.name, b.version, b.status, b.queue, b.table_name as "table", b.command, b.error,
              b.created_on as "createdOn", b.started_on as "startedOn", b.completed_on as "completedOn",
              (candidate.prior_status <> 'pending') as reattempt,
              candidate.prior_status as "priorStatus", candidate.prior_started_on::text as "priorStartedOn",
              b.started_on::text as "claimedStartedOn"
  `}function bamHealDrop(schema,command){const match=command.match(/CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("?[\w$]+"?)/i);
if(!match)return null;return`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${match[1]}`}function bamHealProbe(schema,command){
const match=command.match(/CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?([\w$]+)"?/i);if(!match)
return null;return`
    SELECT NOT i.indisvalid AS invalid
    FROM pg_class c
    JOIN pg_index i ON i.indexrelid = c.oid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX2,"''")}' AND c.relname = '${match[1].replace(
SINGLE_QUOTE_REGEX2,"''")}'
  `}function releaseBamCommand(schema,id2,priorStatus,priorStartedOn,claimedStartedOn){const startedOn=priorStartedOn==null?
"NULL":`'${priorStartedOn.replace(SINGLE_QUOTE_REGEX2,"''")}'::timestamptz`;return`
    UPDATE ${schema}.bam
    SET status = '${priorStatus.replace(SINGLE_QUOTE_REGEX2,"''")}', started_on = ${startedOn}
    WHERE id = '${id2}'
      AND status = 'in_progress'
      AND started_on = '${claimedStartedOn.replace(SINGLE_QUOTE_REGEX2,"''")}'::timestamptz
  `}function setBamCompleted(schema,id2){return`
    UPDATE ${schema}.bam
    SET status = 'completed', completed_on = ${schema}.job_now(), error = NULL
    WHERE id = '${id2}'
  `}function setBamFailed(schema,id2,error){const escapedError=error.replace(/'/g,"''");return`
    UPDATE ${schema}.bam
    SET status = 'failed', error = '${escapedError}', completed_on = ${schema}.job_now()
    WHERE id = '${id2}'
  `}function getBamStatus(schema){return`
    SELECT status, count(*)::int as count, max(created_on) as "lastCreatedOn"
    FROM ${schema}.bam
    GROUP BY status
  `}function getBamEntries(schema){return`
    SELECT id, name, version, status, queue, table_name as "table", command, error,
           created_on as "createdOn", started_on as "startedOn", completed_on as "completedOn"
    FROM ${schema}.bam
    ORDER BY version, created_on
  `}function jobCommonExists(schema){return`SELECT to_regclass('${schema}.${COMMON_JOB_TABLE}') as name`}function getManagedQueuePartitions(schema){
return`SELECT table_name as "table", policy FROM ${schema}.queue WHERE partition = true`}function getIncompleteBamCommands(schema){
return`SELECT command FROM ${schema}.bam WHERE status <> 'completed'`}function bamCommandIndexName(command){const match=command.
match(/CREATE\s+(?:UNIQUE\s+)?INDEX\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?"?([\w$]+)"?/i);return match?match[1]:
null}var POLICY_JOB_INDEXES={1:QUEUE_POLICIES.short,2:QUEUE_POLICIES.singleton,3:QUEUE_POLICIES.stately,6:QUEUE_POLICIES.
exclusive,8:QUEUE_POLICIES.key_strict_fifo,10:QUEUE_POLICIES.key_strict_fifo};var BASE_JOB_INDEXES=[4,7,9,11,12];var FIXED_MANAGED_TABLES=[
"version","queue","schedule","subscription","bam","warning","queue_stats","job_dependency"];function manifestSection(partitioned){
return partitioned?schema_default.partitioned:schema_default.nonPartitioned}function applyManifestSchema(text,schema){return text.
split(schema_default.schemaToken).join(schema)}var EXPECTED_JOB_STATES=schema_default.partitioned.enum;function expectedManagedTables(schema,partitioned,partitions=[]){
const tables=[...manifestSection(partitioned).tables];if(partitioned)for(const p2 of partitions)tables.push(p2.table);return tables}
function expectedManagedColumns(schema,partitioned,partitions=[]){const fixed=new Set(FIXED_MANAGED_TABLES);const byTable=new Map;
const jobColumns=[];for(const c2 of manifestSection(partitioned).columns){if(c2.table===BASE_JOB_TABLE){jobColumns.push(
c2.column);continue}if(!fixed.has(c2.table))continue;let entry=byTable.get(c2.table);if(!entry)byTable.set(c2.table,entry=
{table:c2.table,columns:[],defaults:{},types:{}});entry.columns.push(c2.column);entry.types[c2.column]={type:applyManifestSchema(
c2.type,schema),notNull:c2.notNull};if(c2.default!=null)entry.defaults[c2.column]=applyManifestSchema(c2.default,schema)}
const out=[...byTable.values()];out.push({table:BASE_JOB_TABLE,columns:jobColumns});if(partitioned){out.push({table:COMMON_JOB_TABLE,
columns:jobColumns});for(const p2 of partitions)out.push({table:p2.table,columns:jobColumns})}return out}function expectedManagedConstraints(schema,partitioned){
const fixed=new Set(FIXED_MANAGED_TABLES);const byTable=new Map;for(const{table,def}of manifestSection(partitioned).constraints){
if(!fixed.has(table))continue;const list2=byTable.get(table)??byTable.set(table,[]).get(table);list2.push(applyManifestSchema(
def,schema))}return[...byTable].map(([table,constraints])=>({table,constraints}))}function expectedManagedFunctions(schema,partitioned,options={}){
return manifestSection(partitioned).functions.map(fn2=>{let def=applyManifestSchema(fn2.def,schema);if(fn2.name==="job_n\
ow"&&options.clockOverride){def=def.replace(extractFunctionBody(def),` ${clockOverrideBody(schema)} `)}return{name:fn2.name,
expectedBody:normalizeFunctionBody(extractFunctionBody(def)),definition:def.replace(/\s+/g," ").trim()}})}function expectedManagedIndexes(schema,partitioned,partitions=[]){
const managed=(name,table,indexdef)=>{const def=applyManifestSchema(indexdef,schema);return{name,table,keys:indexKeysRaw(
def),include:indexIncludeRaw(def),predicate:indexPredicateRaw(def),definition:displayIndexDefinition(def)}};const jobTable=partitioned?
COMMON_JOB_TABLE:BASE_JOB_TABLE;const out=[];const jobIndexes=[];for(const idx of manifestSection(partitioned).indexes){
out.push(managed(idx.name,idx.table,idx.def));const n2=idx.table===jobTable?idx.name.match(/_i(\d+)$/):null;if(n2)jobIndexes.
push({n:Number(n2[1]),def:idx.def})}if(partitioned){for(const p2 of partitions){for(const{n:n2,def}of jobIndexes){if(!BASE_JOB_INDEXES.
includes(n2)&&POLICY_JOB_INDEXES[n2]!==p2.policy)continue;out.push(managed(`${p2.table}_i${n2}`,p2.table,def.split(COMMON_JOB_TABLE).
join(p2.table)))}}}return out}var REINDEX_DEFAULTS={minPages:128,maxEntriesPerPage:5,minSizeRatio:4,maxIndexBytes:2*1024*
1024*1024};var INDEX_WIDTH_JOIN=`LEFT JOIN LATERAL (
      SELECT COALESCE(sum(COALESCE(ts.avg_width, xs.avg_width, 0)), 0) AS key_width
      FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS k(attnum, pos)
      LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum
      LEFT JOIN pg_stats ts ON ts.schemaname = n.nspname AND ts.tablename = t.relname AND ts.attname = a.attname
      LEFT JOIN pg_attribute ia ON ia.attrelid = i.oid AND ia.attnum = k.pos::int2
      LEFT JOIN pg_stats xs ON xs.schemaname = n.nspname AND xs.tablename = i.relname AND xs.attname = ia.attname
    ) w ON true`;var EXPECTED_PAGES="GREATEST(ceil((i.reltuples * (w.key_width + 20)) / 8192.0), 1)";var INDEX_STAT_COLUMNS=`\

      floor(i.reltuples)::float8 as entries,
      pg_relation_size(i.oid)::float8 as bytes,`;function numericThreshold(value,fallback,name){if(value===void 0||value===
null)return fallback;assert(typeof value==="number"&&Number.isFinite(value)&&value>=0,`configuration assert: reindex.${name}\
 must be a finite number >= 0`);return value}function jobTableScope(schema,tables){return tables?.length?`t.relname = AN\
Y(${serializeArrayParam(tables)})`:`t.relname IN (SELECT table_name FROM ${schema}.queue UNION SELECT '${BASE_JOB_TABLE}\
' UNION SELECT '${COMMON_JOB_TABLE}')`}function getBloatedIndexes(schema,tables,options){const minPages=numericThreshold(
options?.minPages,REINDEX_DEFAULTS.minPages,"minPages");const maxEntriesPerPage=numericThreshold(options?.maxEntriesPerPage,
REINDEX_DEFAULTS.maxEntriesPerPage,"maxEntriesPerPage");const minSizeRatio=numericThreshold(options?.minSizeRatio,REINDEX_DEFAULTS.
minSizeRatio,"minSizeRatio");return`
    SELECT
      i.relname as name,
      t.relname as table,
      i.relpages as pages,
      ${INDEX_STAT_COLUMNS}
      pg_has_role(current_user, i.relowner, 'USAGE') as owned
    FROM pg_class i
    JOIN pg_index x ON x.indexrelid = i.oid
    JOIN pg_class t ON t.oid = x.indrelid
    JOIN pg_namespace n ON n.oid = i.relnamespace
    ${INDEX_WIDTH_JOIN}
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX2,"''")}'
      AND i.relkind = 'i'
      AND x.indisvalid
      AND ${jobTableScope(schema,tables)}
      AND i.relpages > ${minPages}
      AND i.reltuples >= 0
      AND i.reltuples / GREATEST(i.relpages, 1) < ${maxEntriesPerPage}
      AND i.relpages > ${minSizeRatio} * ${EXPECTED_PAGES}
    ORDER BY pg_relation_size(i.oid) DESC
  `}function getJobIndexes(schema,tables){return`
    SELECT
      i.relname as name,
      t.relname as table,
      i.relpages as pages,
      ${INDEX_STAT_COLUMNS}
      pg_has_role(current_user, i.relowner, 'USAGE') as owned
    FROM pg_class i
    JOIN pg_index x ON x.indexrelid = i.oid
    JOIN pg_class t ON t.oid = x.indrelid
    JOIN pg_namespace n ON n.oid = i.relnamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX2,"''")}'
      AND i.relkind = 'i'
      AND x.indisvalid
      AND ${jobTableScope(schema,tables)}
    ORDER BY pg_relation_size(i.oid) DESC
  `}function getReindexLeftovers(schema,tables,noIndexProgressView=false,anyOwner=false){const liveBuild=noIndexProgressView?
"":"AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_create_index p WHERE p.relid = x.indrelid)";const owner=anyOwner?"":"\
AND pg_has_role(current_user, i.relowner, 'USAGE')";return`
    SELECT i.relname as name
    FROM pg_class i
    JOIN pg_index x ON x.indexrelid = i.oid
    JOIN pg_class t ON t.oid = x.indrelid
    JOIN pg_namespace n ON n.oid = i.relnamespace
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX2,"''")}'
      AND i.relkind = 'i'
      AND NOT x.indisvalid
      AND i.relname ~ '_ccnew[0-9]*$'
      AND ${jobTableScope(schema,tables)}
      ${owner}
      ${liveBuild}
  `}function quoteIdentifier(name){return`"${name.replace(/"/g,'""')}"`}var XMIN_HORIZON_SOURCES={backends:"SELECT max(a\
ge(backend_xmin)) FROM pg_catalog.pg_stat_activity WHERE backend_xmin IS NOT NULL AND (xact_start IS NULL OR xact_start \
< $1)",slots:"SELECT max(age(xmin)) FROM pg_catalog.pg_replication_slots WHERE xmin IS NOT NULL",slotsCatalog:"SELECT ma\
x(age(catalog_xmin)) FROM pg_catalog.pg_replication_slots WHERE catalog_xmin IS NOT NULL",standbys:"SELECT max(age(backe\
nd_xmin)) FROM pg_catalog.pg_stat_replication WHERE backend_xmin IS NOT NULL",prepared:"SELECT max(age(transaction)) FRO\
M pg_catalog.pg_prepared_xacts"};var XMIN_HORIZON_QUERY_SOURCES=Object.keys(XMIN_HORIZON_SOURCES);function getXminHorizon(lastVacuum,sources=XMIN_HORIZON_QUERY_SOURCES){
assert(sources.length,"getXminHorizon requires at least one source");const columns=sources.map(name=>`(${XMIN_HORIZON_SOURCES[name]}\
) as "${name}"`);const backendIdentity=sources.includes("backends")?`,
      (SELECT to_jsonb(h) FROM (
        SELECT
          pid,
          application_name                                    as "applicationName",
          usename::text                                       as "userName",
          state,
          age(backend_xmin)                                   as age,
          extract(epoch from (now() - xact_start))::int       as "xactSeconds"
        FROM pg_catalog.pg_stat_activity
        WHERE backend_xmin IS NOT NULL
          AND (xact_start IS NULL OR xact_start < $1)
          AND pid <> pg_backend_pid()
        ORDER BY age(backend_xmin) DESC, xact_start NULLS LAST
        LIMIT 1
      ) h) as "backendHolder",
      (SELECT count(*)::int FROM pg_catalog.pg_stat_activity
        WHERE backend_xmin IS NOT NULL AND xact_start IS NULL
          AND pid <> pg_backend_pid()) as "opaqueBackends",
      current_setting('application_name') as "selfApplicationName"`:"";const text=`
    SELECT
      ${columns.join(",\n      ")},
      (SELECT max(extract(epoch from (now() - xact_start)))::int
         FROM pg_catalog.pg_stat_activity
        WHERE backend_xmin IS NOT NULL AND xact_start IS NOT NULL) as "oldestTransactionSeconds"${backendIdentity}
  `;return{text,values:sources.includes("backends")?[lastVacuum]:[]}}function getJobTableGarbage(schema,tables){return`
    SELECT t.relname as name,
      s.n_live_tup as "liveTuples",
      s.n_dead_tup as "deadTuples",
      (extract(epoch from GREATEST(s.last_autovacuum, s.last_vacuum)) * 1000)::float8 as "lastVacuum",
      extract(epoch from (now() - GREATEST(s.last_autovacuum, s.last_vacuum)))::int as "vacuumAgeSeconds",
      coalesce((SELECT option_value::int FROM pg_options_to_table(t.reloptions)
                 WHERE option_name = 'autovacuum_vacuum_threshold'),
               current_setting('autovacuum_vacuum_threshold')::int) as "threshold",
      coalesce((SELECT option_value::float8 FROM pg_options_to_table(t.reloptions)
                 WHERE option_name = 'autovacuum_vacuum_scale_factor'),
               current_setting('autovacuum_vacuum_scale_factor')::float8) as "scaleFactor",
      coalesce((SELECT option_value::boolean FROM pg_options_to_table(t.reloptions)
                 WHERE option_name = 'autovacuum_enabled'), true) as "autovacuumEnabled"
    FROM pg_catalog.pg_class t
    JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
    JOIN pg_catalog.pg_stat_user_tables s ON s.relid = t.oid
    WHERE n.nspname = '${resolveSchemaName(schema).replace(SINGLE_QUOTE_REGEX2,"''")}'
      AND t.relkind = 'r'
      AND ${jobTableScope(schema,tables)}
  `}function reindexIndex(schema,name){return`REINDEX INDEX CONCURRENTLY ${schema}.${quoteIdentifier(name)}`}function dropIndexConcurrently(schema,name){
return`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${quoteIdentifier(name)}`}function buildReindexCommands(schema,targets,leftovers){
if(!targets.length)return[];return[...leftovers.map(({name})=>dropIndexConcurrently(schema,name)),...targets.map(({name})=>reindexIndex(
schema,name))]}var systemClock2={now:()=>Date.now(),setTimeout:(fn2,ms2)=>setTimeout(fn2,ms2),clearTimeout:handle=>clearTimeout(handle),
setInterval:(fn2,ms2)=>setInterval(fn2,ms2),clearInterval:handle=>clearInterval(handle)};function isAttachable(clock){return typeof clock.
attach==="function"}var POLICY={MAX_EXPIRATION_HOURS:24,MIN_POLLING_INTERVAL_MS:500,MAX_RETENTION_DAYS:365};var COMPATIBILITY_FLAGS=["noSkip\
Locked","noMultiMutationCte","noTablePartitioning","noDeferrableConstraints","noAdvisoryLocks","noCoveringIndexes","noAd\
dColumnBackfill","noListenNotify","noIndexProgressView","noReindex","noMonitorVacuum","noTransactionalHeartbeat","inline\
TableIndexes"];var BACKEND_PROFILES={postgres:{kind:"standard",flags:{}},cockroachdb:{kind:"distributed",flags:{noSkipLocked:true,
noMultiMutationCte:true,noTablePartitioning:true,noDeferrableConstraints:true,noAdvisoryLocks:true,noCoveringIndexes:true,
noAddColumnBackfill:true,noListenNotify:true,noIndexProgressView:true,noReindex:true,noMonitorVacuum:true,noTransactionalHeartbeat:true,
inlineTableIndexes:true}},yugabytedb:{kind:"distributed",flags:{noAdvisoryLocks:true,noTablePartitioning:true,noIndexProgressView:true,
noReindex:true,noMonitorVacuum:true}},citus:{kind:"distributed",flags:{}},pglite:{kind:"embedded",flags:{}}};function assertObjectName(value,name="\
Name"){assert2(/^[\w.\-/]+$/.test(value),`${name} can only contain alphanumeric characters, underscores, hyphens, period\
s, or forward slashes`)}function validateQueueArgs(config={}){assert2(!("deadLetter"in config)||config.deadLetter===null||
typeof config.deadLetter==="string","deadLetter must be a string");assert2(!("notify"in config)||typeof config.notify===
"boolean","notify must be a boolean");if(config.deadLetter){assertObjectName(config.deadLetter,"deadLetter")}validateRetryConfig(
config);validateExpirationConfig(config);validateRetentionConfig(config);validateDeletionConfig(config);validateHeartbeatConfig(
config)}var ISO_DATE=/^\d{4}-\d{2}-\d{2}/;var ZONELESS_TIME=/^(?:[T ]\d{2}(?::\d{2}(?::\d{2}(?:[.,]\d+)?)?)?)?$/;function pinZonelessDateTime(value){
return ISO_DATE.test(value)&&ZONELESS_TIME.test(value.slice(10))?value+"Z":value}function checkSendArgs(args){let name,data,
options;if(typeof args[0]==="string"){name=args[0];data=args[1];assert2(typeof data!=="function","send() cannot accept a\
 function as the payload.  Did you intend to use work()?");options=args[2]}else if(typeof args[0]==="object"){assert2(args.
length===1,"send object API only accepts 1 argument");const job=args[0];assert2(job,"boss requires all jobs to have a na\
me");name=job.name;data=job.data;options=job.options}options=options||{};assert2(name,"boss requires all jobs to have a \
queue name");assert2(typeof options==="object","options should be an object");options={...options};assert2(!("priority"in
options)||Number.isInteger(options.priority),"priority must be an integer");options.priority=options.priority||0;options.
startAfter=options.startAfter instanceof Date&&typeof options.startAfter.toISOString==="function"?options.startAfter.toISOString():
+options.startAfter>0?""+options.startAfter:typeof options.startAfter==="string"?pinZonelessDateTime(options.startAfter):
void 0;validateRetryConfig(options);validateExpirationConfig(options);validateRetentionConfig(options);validateDeletionConfig(
options);validateGroupConfig(options);validateHeartbeatConfig(options);return{name,data,options}}var JOB_MATCH_STRATEGIES=[
"newest","oldest","all"];function checkUpdateArgs(args,{upsert=false}={}){const verb=upsert?"upsert()":"update()";let name,
data,rawOptions;if(typeof args[0]==="string"){name=args[0];data=args[1];rawOptions=args[2]}else if(typeof args[0]==="obj\
ect"){assert2(args.length===1,`${verb} object API only accepts 1 argument`);const job=args[0];assert2(job,"boss requires\
 all jobs to have a name");name=job.name;data=job.data;rawOptions=job.options}assert2(name,"boss requires all jobs to ha\
ve a queue name");assert2(typeof data!=="function",`${verb} cannot accept a function as the payload.  Did you intend to \
use work()?`);const options={...rawOptions||{}};assert2(typeof options==="object","options should be an object");const{id:id2,
singletonKey,match}=options;assert2(!!id2!==!!singletonKey,`${verb} requires exactly one of id or singletonKey`);assert2(
!(id2&&match!==void 0),"match is only valid when targeting jobs by singletonKey");assert2(match===void 0||JOB_MATCH_STRATEGIES.
includes(match),`match must be one of: ${JOB_MATCH_STRATEGIES.join(", ")}`);assert2(!("priority"in options)||Number.isInteger(
options.priority),"priority must be an integer");if("startAfter"in options){const startAfter=options.startAfter;options.
startAfter=startAfter instanceof Date&&typeof startAfter.toISOString==="function"?startAfter.toISOString():typeof startAfter===
"number"&&Number.isFinite(startAfter)?""+startAfter:typeof startAfter==="string"?pinZonelessDateTime(startAfter):void 0}
validateRetryConfig(options);validateExpirationConfig(options);validateRetentionConfig(options);validateGroupConfig(options);
validateHeartbeatConfig(options);return{name,data,options}}function validateGroupConfig(config){if(!("group"in config)||
config.group===void 0||config.group===null){return}assert2(typeof config.group==="object","group must be an object");assert2(
typeof config.group.id==="string"&&config.group.id.length>0,"group.id must be a non-empty string");assert2(!("tier"in config.
group)||typeof config.group.tier==="string"&&config.group.tier.length>0,"group.tier must be a non-empty string if provid\
ed")}function validateFlowJobs(jobs){assert2(Array.isArray(jobs),"flow requires an array of jobs");assert2(jobs.length>=
2,"flow requires at least 2 jobs");const refs=new Set;for(const job of jobs){assert2(typeof job.ref==="string"&&job.ref.
length>0,"each flow job must have a non-empty ref");assert2(!refs.has(job.ref),`duplicate ref: "${job.ref}"`);refs.add(job.
ref);assert2(typeof job.name==="string"&&job.name.length>0,"each flow job must have a non-empty name");assertObjectName(
job.name)}const hasDeps=jobs.some(j2=>j2.dependsOn&&j2.dependsOn.length>0);assert2(hasDeps,"flow requires at least one j\
ob with dependsOn");for(const job of jobs){if(!job.dependsOn)continue;assert2(Array.isArray(job.dependsOn),`dependsOn fo\
r ref "${job.ref}" must be an array`);for(const dep of job.dependsOn){assert2(typeof dep==="string"&&dep.length>0,"depen\
dsOn entries must be non-empty strings");assert2(dep!==job.ref,`job "${job.ref}" cannot depend on itself`);assert2(refs.
has(dep),`dependsOn ref "${dep}" not found in flow`)}}const inDegree=new Map;const edges=new Map;for(const job of jobs){
inDegree.set(job.ref,0);edges.set(job.ref,[])}for(const job of jobs){if(!job.dependsOn)continue;for(const dep of job.dependsOn){
edges.get(dep).push(job.ref);inDegree.set(job.ref,inDegree.get(job.ref)+1)}}const queue=[];for(const[ref,deg]of inDegree){
if(deg===0)queue.push(ref)}let visited=0;while(queue.length>0){const current=queue.shift();visited++;for(const child of edges.
get(current)){const newDeg=inDegree.get(child)-1;inDegree.set(child,newDeg);if(newDeg===0)queue.push(child)}}if(visited!==
jobs.length){const cycle=findDependencyCycle(edges);assert2(false,`flow contains a dependency cycle: ${cycle.join(" -> ")}`)}}
function findDependencyCycle(edges){const visiting=new Set;const visited=new Set;const path=[];function visit(ref){if(visiting.
has(ref)){const start=path.indexOf(ref);return[...path.slice(start),ref]}if(visited.has(ref))return null;visiting.add(ref);
path.push(ref);for(const child of edges.get(ref)||[]){const cycle2=visit(child);if(cycle2)return cycle2}path.pop();visiting.
delete(ref);visited.add(ref);return null}let cycle=null;for(const ref of edges.keys()){cycle=visit(ref);if(cycle)break}return cycle}
function validateGroupConcurrencyValue(value,optionName){if(typeof value==="number"){assert2(Number.isInteger(value)&&value>=
1,`${optionName} must be an integer >= 1`);return}assert2(typeof value==="object",`${optionName} must be a number or an \
object with { default, tiers? }`);assert2(Number.isInteger(value.default)&&value.default>=1,`${optionName}.default must \
be an integer >= 1`);if("tiers"in value&&value.tiers){assert2(typeof value.tiers==="object",`${optionName}.tiers must be\
 an object`);for(const[tier,limit]of Object.entries(value.tiers)){assert2(typeof tier==="string"&&tier.length>0,`${optionName}\
 tier keys must be non-empty strings`);assert2(Number.isInteger(limit)&&limit>=1,`${optionName}.tiers["${tier}"] must be\
 an integer >= 1`)}}}function validatePriorityRangeConfig(config){if(config.minPriority!==void 0){assert2(Number.isInteger(
config.minPriority),"minPriority must be an integer")}if(config.maxPriority!==void 0){assert2(Number.isInteger(config.maxPriority),
"maxPriority must be an integer")}if(config.minPriority!==void 0&&config.maxPriority!==void 0){assert2(config.minPriority<=
config.maxPriority,"minPriority must be <= maxPriority")}}function validateGroupConcurrencyConfig(config){const hasGlobal=config.
groupConcurrency!=null;const hasLocal=config.localGroupConcurrency!=null;assert2(!(hasGlobal&&hasLocal),"cannot specify \
both groupConcurrency and localGroupConcurrency - choose one");if(hasGlobal)validateGroupConcurrencyValue(config.groupConcurrency,
"groupConcurrency");if(hasLocal){validateGroupConcurrencyValue(config.localGroupConcurrency,"localGroupConcurrency");validateLocalGroupConcurrencyLimit(
config.localGroupConcurrency,config.localConcurrency)}}function validateLocalGroupConcurrencyLimit(localGroupConcurrency,localConcurrency){
const effectiveLocalConcurrency=localConcurrency??1;if(typeof localGroupConcurrency==="number"){assert2(localGroupConcurrency<=
effectiveLocalConcurrency,`localGroupConcurrency (${localGroupConcurrency}) cannot exceed localConcurrency (${effectiveLocalConcurrency}\
)`)}else if(typeof localGroupConcurrency==="object"){assert2(localGroupConcurrency.default<=effectiveLocalConcurrency,`l\
ocalGroupConcurrency.default (${localGroupConcurrency.default}) cannot exceed localConcurrency (${effectiveLocalConcurrency}\
)`);if(localGroupConcurrency.tiers){for(const[tier,limit]of Object.entries(localGroupConcurrency.tiers)){assert2(limit<=
effectiveLocalConcurrency,`localGroupConcurrency.tiers["${tier}"] (${limit}) cannot exceed localConcurrency (${effectiveLocalConcurrency}\
)`)}}}}function checkWorkArgs(name,args){let options,callback;assert2(name,"queue name is required");if(args.length===1){
callback=args[0];options={}}else if(args.length>1){options=args[0]||{};callback=args[1]}assert2(typeof callback==="funct\
ion","expected callback to be a function");assert2(typeof options==="object","expected config to be an object");options=
{...options};applyPollingInterval(options);assert2(!("batchSize"in options)||Number.isInteger(options.batchSize)&&options.
batchSize>=1,"batchSize must be an integer > 0");assert2(!("includeMetadata"in options)||typeof options.includeMetadata===
"boolean","includeMetadata must be a boolean");assert2(!("priority"in options)||typeof options.priority==="boolean","pri\
ority must be a boolean");assert2(!("localConcurrency"in options)||Number.isInteger(options.localConcurrency)&&options.localConcurrency>=
1,"localConcurrency must be an integer >= 1");assert2(!("perJobResults"in options)||typeof options.perJobResults==="bool\
ean","perJobResults must be a boolean");assert2(!("transactional"in options)||typeof options.transactional==="boolean","\
transactional must be a boolean");validatePriorityRangeConfig(options);validateGroupConcurrencyConfig(options);validateHeartbeatRefreshConfig(
options);validateTransactionalConfig(options);return{options,callback}}function validateTransactionalConfig(options){assert2(
!("transactionTimeoutSeconds"in options)||Number.isInteger(options.transactionTimeoutSeconds)&&options.transactionTimeoutSeconds>=
0,"transactionTimeoutSeconds must be an integer >= 0");if(!options.transactional){assert2(!("transactionTimeoutSeconds"in
options),"transactionTimeoutSeconds requires transactional");return}assert2(!options.perJobResults,"transactional cannot\
 be combined with perJobResults")}function checkFetchArgs(name,options){assert2(name,"missing queue name");assert2(!("ba\
tchSize"in options)||Number.isInteger(options.batchSize)&&options.batchSize>=1,"batchSize must be an integer > 0");assert2(
!("includeMetadata"in options)||typeof options.includeMetadata==="boolean","includeMetadata must be a boolean");assert2(
!("priority"in options)||typeof options.priority==="boolean","priority must be a boolean");assert2(!("ignoreStartAfter"in
options)||typeof options.ignoreStartAfter==="boolean","ignoreStartAfter must be a boolean");validatePriorityRangeConfig(
options)}function getConfig(value){assert2(value&&(typeof value==="object"||typeof value==="string"),"configuration asse\
rt: string or config object is required to connect to postgres");const config=typeof value==="string"?{connectionString:value}:
{...value};config.schedule="schedule"in config?config.schedule:true;config.supervise="supervise"in config?config.supervise:
true;config.migrate="migrate"in config?config.migrate:true;config.createSchema="createSchema"in config?config.createSchema:
true;config.useListenNotify="useListenNotify"in config?config.useListenNotify:false;config.reindex="reindex"in config?config.
reindex:true;resolveBackend(config);applyClockConfig(config);applySchemaConfig(config);applyOpsConfig(config);applyScheduleConfig(
config);applyBamConfig(config);applyFlowConfig(config);validateWarningConfig(config);return config}var CLOCK_METHODS=["n\
ow","setTimeout","clearTimeout","setInterval","clearInterval"];function applyClockConfig(config){if(config.clock){const clock=config.
clock;for(const method of CLOCK_METHODS){assert2(typeof clock[method]==="function",`configuration assert: clock must imp\
lement ${method}()`)}}config.clock=config.clock||systemClock2}function applySchemaConfig(config){if(config.schema){assertPostgresObjectName(
config.schema)}config.schema=config.schema||DEFAULT_SCHEMA}function validateWarningConfig(config){assert2(!("warningQueu\
eSize"in config)||config.warningQueueSize>=1,"configuration assert: warningQueueSize must be at least 1");assert2(!("war\
ningSlowQuerySeconds"in config)||config.warningSlowQuerySeconds>=1,"configuration assert: warningSlowQuerySeconds must b\
e at least 1");assert2(!("warningRetentionDays"in config)||Number.isInteger(config.warningRetentionDays)&&config.warningRetentionDays>=
1,"configuration assert: warningRetentionDays must be an integer >= 1");assert2(!("warningRetentionDays"in config)||config.
warningRetentionDays<=POLICY.MAX_RETENTION_DAYS,`configuration assert: warningRetentionDays cannot exceed ${POLICY.MAX_RETENTION_DAYS}\
 days`);config.warningRetentionDays=config.warningRetentionDays||POLICY.MAX_RETENTION_DAYS}function resolveBackend(config){
const backend="backend"in config?config.backend:"postgres";assert2(backend in BACKEND_PROFILES,`configuration assert: ba\
ckend must be one of ${Object.keys(BACKEND_PROFILES).join(", ")}`);config.backend=backend;const{flags}=BACKEND_PROFILES[backend];
for(const flag of COMPATIBILITY_FLAGS){config[flag]=flags[flag]??false}if(config.__test__distributed){config.noSkipLocked=
true;config.noMultiMutationCte=true}if(config.__test__noAdvisoryLocks){config.noAdvisoryLocks=true}if(config.__test__noIndexProgressView){
config.noIndexProgressView=true}if(config.__test__noTransactionalHeartbeat){config.noTransactionalHeartbeat=true}if(config.
__test__noReindex){config.noReindex=true}}function quotedNameProblem(resolved){if(resolved.includes('"'))return"cannot c\
ontain double quotes";if(resolved.includes("'"))return"cannot contain single quotes";if(resolved.includes("%"))return"ca\
nnot contain percent signs";if(resolved.includes("$"))return"cannot contain dollar signs";if(resolved.includes("."))return"\
cannot contain periods";if(resolved.includes("\\"))return"cannot contain backslashes";if(/[\x00-\x1f\x7f]/.test(resolved))
return"cannot contain control characters";return null}function assertPostgresObjectName(name){assert2(typeof name==="str\
ing","Name must be a string");const quoted=name.startsWith('"')&&name.endsWith('"')&&name.length>1;const resolved=quoted?
name.slice(1,-1):name;assert2(resolved.length>0,"Name cannot be empty");assert2(Buffer.byteLength(resolved,"utf8")<=50,"\
Name cannot exceed 50 bytes");if(quoted){const problem2=quotedNameProblem(resolved);assert2(problem2===null,`Quoted name\
 ${problem2}`);return}const problem=quotedNameProblem(name);const remedy=problem===null?` Pass it quoted to use it verba\
tim: schema: '"${name}"'`:` Quoting will not help: a quoted name ${problem}.`;assert2(!/\W/.test(name),`Schema name ${JSON.
stringify(name)} can only contain alphanumeric characters or underscores when unquoted.${remedy}`);assert2(!/^\d/.test(name),
`Schema name ${JSON.stringify(name)} cannot start with a number when unquoted.${remedy}`)}function assertQueueName(name){
assert2(name,"Name is required");assert2(typeof name==="string","Name must be a string");assertObjectName(name)}function assertKey(key){
if(!key)return;assert2(typeof key==="string","Key must be a string");assertObjectName(key,"Key")}function validateRetentionConfig(config){
assert2(!("retentionSeconds"in config)||config.retentionSeconds>=1,"configuration assert: retentionSeconds must be at le\
ast every second")}function validateExpirationConfig(config){assert2(!("expireInSeconds"in config)||config.expireInSeconds>=
1,"configuration assert: expireInSeconds must be at least every second");assert2(!config.expireInSeconds||config.expireInSeconds/
60/60<=POLICY.MAX_EXPIRATION_HOURS,`configuration assert: expiration cannot exceed ${POLICY.MAX_EXPIRATION_HOURS} hours`)}
function validateRetryConfig(config){assert2(!("retryDelay"in config)||Number.isInteger(config.retryDelay)&&config.retryDelay>=
0,"retryDelay must be an integer >= 0");assert2(!("retryLimit"in config)||Number.isInteger(config.retryLimit)&&config.retryLimit>=
0,"retryLimit must be an integer >= 0");assert2(!("retryBackoff"in config)||(config.retryBackoff===true||config.retryBackoff===
false),"retryBackoff must be either true or false");assert2(!("retryDelayMax"in config)||config.retryDelayMax===null||config.
retryBackoff===true,"retryDelayMax can only be set if retryBackoff is true");assert2(!("retryDelayMax"in config)||config.
retryDelayMax===null||Number.isInteger(config.retryDelayMax)&&config.retryDelayMax>=0,"retryDelayMax must be an integer \
>= 0")}function validateHeartbeatConfig(config){assert2(!("heartbeatSeconds"in config)||config.heartbeatSeconds===null||
Number.isInteger(config.heartbeatSeconds)&&config.heartbeatSeconds>=10,"heartbeatSeconds must be an integer >= 10")}function validateHeartbeatRefreshConfig(config){
if(!("heartbeatRefreshSeconds"in config)||config.heartbeatRefreshSeconds==null)return;assert2(typeof config.heartbeatRefreshSeconds===
"number"&&config.heartbeatRefreshSeconds>0,"heartbeatRefreshSeconds must be a number > 0")}function applyPollingInterval(config){
assert2(!("pollingIntervalSeconds"in config)||config.pollingIntervalSeconds>=POLICY.MIN_POLLING_INTERVAL_MS/1e3,`configu\
ration assert: pollingIntervalSeconds must be at least every ${POLICY.MIN_POLLING_INTERVAL_MS}ms`);config.pollingInterval=
"pollingIntervalSeconds"in config?config.pollingIntervalSeconds*1e3:2e3;assert2(!("notifyPollingIntervalSeconds"in config)||
config.notifyPollingIntervalSeconds>=POLICY.MIN_POLLING_INTERVAL_MS/1e3,`configuration assert: notifyPollingIntervalSeco\
nds must be at least every ${POLICY.MIN_POLLING_INTERVAL_MS}ms`);if("notifyPollingIntervalSeconds"in config){config.notifyPollingInterval=
config.notifyPollingIntervalSeconds*1e3;assert2(config.notifyPollingInterval>=config.pollingInterval,"configuration asse\
rt: notifyPollingIntervalSeconds must be at least pollingIntervalSeconds")}else{config.notifyPollingInterval=Math.max(3e4,
config.pollingInterval)}assert2(!("burstWhenReadyExceeds"in config)||Number.isInteger(config.burstWhenReadyExceeds)&&config.
burstWhenReadyExceeds>=1,"configuration assert: burstWhenReadyExceeds must be an integer >= 1");assert2(!("burstWhenBatc\
hFull"in config)||typeof config.burstWhenBatchFull==="boolean","configuration assert: burstWhenBatchFull must be a boole\
an")}function applyOpsConfig(config){assert2(!("superviseIntervalSeconds"in config)||config.superviseIntervalSeconds>=1,
"configuration assert: superviseIntervalSeconds must be at least every second");config.superviseIntervalSeconds=config.superviseIntervalSeconds||
60;assert2(config.superviseIntervalSeconds/60/60<=POLICY.MAX_EXPIRATION_HOURS,`configuration assert: superviseIntervalSe\
conds cannot exceed ${POLICY.MAX_EXPIRATION_HOURS} hours`);assert2(!("maintenanceIntervalSeconds"in config)||config.maintenanceIntervalSeconds>=
1,"configuration assert: maintenanceIntervalSeconds must be at least every second");config.maintenanceIntervalSeconds=config.
maintenanceIntervalSeconds||POLICY.MAX_EXPIRATION_HOURS*60*60;assert2(config.maintenanceIntervalSeconds/60/60<=POLICY.MAX_EXPIRATION_HOURS,
`configuration assert: maintenanceIntervalSeconds cannot exceed ${POLICY.MAX_EXPIRATION_HOURS} hours`);assert2(!("monito\
rIntervalSeconds"in config)||config.monitorIntervalSeconds>=1,"configuration assert: monitorIntervalSeconds must be at l\
east every second");config.monitorIntervalSeconds=config.monitorIntervalSeconds||60;assert2(config.monitorIntervalSeconds/
60/60<=POLICY.MAX_EXPIRATION_HOURS,`configuration assert: monitorIntervalSeconds cannot exceed ${POLICY.MAX_EXPIRATION_HOURS}\
 hours`);assert2(!("queueCacheIntervalSeconds"in config)||config.queueCacheIntervalSeconds>=1,"configuration assert: que\
ueCacheIntervalSeconds must be at least every second");config.queueCacheIntervalSeconds=config.queueCacheIntervalSeconds||
60;assert2(config.queueCacheIntervalSeconds/60/60<=POLICY.MAX_EXPIRATION_HOURS,`configuration assert: queueCacheInterval\
Seconds cannot exceed ${POLICY.MAX_EXPIRATION_HOURS} hours`);if("queueStatRetentionDays"in config){assert2(Number.isInteger(
config.queueStatRetentionDays)&&config.queueStatRetentionDays>=1,"configuration assert: queueStatRetentionDays must be a\
n integer >= 1");assert2(config.queueStatRetentionDays<=POLICY.MAX_RETENTION_DAYS,`configuration assert: queueStatRetent\
ionDays cannot exceed ${POLICY.MAX_RETENTION_DAYS} days`)}config.queueStatRetentionDays=config.queueStatRetentionDays||7;
validateReindexConfig(config);validateVacuumMonitorConfig(config)}function validateReindexConfig(config){assert2(!("rein\
dex"in config)||typeof config.reindex==="boolean"||typeof config.reindex==="object"&&config.reindex!==null,"configuratio\
n assert: reindex must be a boolean or an options object");if(typeof config.reindex==="object"&&config.reindex!==null){const{
minPages,maxEntriesPerPage,minSizeRatio,maxIndexBytes,force}=config.reindex;assert2(minPages===void 0||Number.isInteger(
minPages)&&minPages>=0,"configuration assert: reindex.minPages must be an integer >= 0");assert2(maxEntriesPerPage===void 0||
typeof maxEntriesPerPage==="number"&&maxEntriesPerPage>0,"configuration assert: reindex.maxEntriesPerPage must be a numb\
er > 0");assert2(minSizeRatio===void 0||typeof minSizeRatio==="number"&&minSizeRatio>=0,"configuration assert: reindex.m\
inSizeRatio must be a number >= 0");assert2(maxIndexBytes===void 0||Number.isInteger(maxIndexBytes)&&maxIndexBytes>0,"co\
nfiguration assert: reindex.maxIndexBytes must be an integer > 0");assert2(force===void 0||force===false,"configuration \
assert: reindex.force cannot be set in constructor options. Pass it to supervise()")}assert2(!("reindexIntervalSeconds"in
config)||config.reindexIntervalSeconds>=1,"configuration assert: reindexIntervalSeconds must be at least every second");
config.reindexIntervalSeconds=config.reindexIntervalSeconds||POLICY.MAX_EXPIRATION_HOURS*60*60;assert2(config.reindexIntervalSeconds/
60/60<=POLICY.MAX_EXPIRATION_HOURS,`configuration assert: reindexIntervalSeconds cannot exceed ${POLICY.MAX_EXPIRATION_HOURS}\
 hours`)}function validateVacuumMonitorConfig(config){assert2(!("monitorVacuum"in config)||typeof config.monitorVacuum===
"boolean","configuration assert: monitorVacuum must be a boolean")}function validateDeletionConfig(config){assert2(!("de\
leteAfterSeconds"in config)||config.deleteAfterSeconds>=0,"configuration assert: deleteAfterSeconds must be at least 0 (\
0 disables deletion)")}function applyScheduleConfig(config){assert2(!("clockMonitorIntervalSeconds"in config)||config.clockMonitorIntervalSeconds>=
1&&config.clockMonitorIntervalSeconds<=600,"configuration assert: clockMonitorIntervalSeconds must be between 1 second a\
nd 10 minutes");config.clockMonitorIntervalSeconds=config.clockMonitorIntervalSeconds||600;assert2(!("cronMonitorInterva\
lSeconds"in config)||config.cronMonitorIntervalSeconds>=1&&config.cronMonitorIntervalSeconds<=45,"configuration assert: \
cronMonitorIntervalSeconds must be between 1 and 45 seconds");config.cronMonitorIntervalSeconds=config.cronMonitorIntervalSeconds||
30;assert2(!("cronWorkerIntervalSeconds"in config)||config.cronWorkerIntervalSeconds>=1&&config.cronWorkerIntervalSeconds<=
45,"configuration assert: cronWorkerIntervalSeconds must be between 1 and 45 seconds");config.cronWorkerIntervalSeconds=
config.cronWorkerIntervalSeconds||5}function applyBamConfig(config){const minInterval=config.__test__bypass_bam_interval_check?
1:10;assert2(!("bamIntervalSeconds"in config)||config.bamIntervalSeconds>=minInterval,`configuration assert: bamInterval\
Seconds must be at least ${minInterval} seconds`);config.bamIntervalSeconds=config.bamIntervalSeconds||60}function applyFlowConfig(config){
const minInterval=config.__test__bypass_flow_interval_check?.5:1;assert2(!("flowIntervalSeconds"in config)||config.flowIntervalSeconds>=
minInterval,`configuration assert: flowIntervalSeconds must be at least ${minInterval} seconds`);config.flowIntervalSeconds=
config.flowIntervalSeconds||5}import assert4 from"node:assert";import assert3 from"node:assert";function assertPartitionMetadata(partitionTables){for(const partition of partitionTables){assert3(typeof partition==="ob\
ject"&&partition!==null&&typeof partition.tableName==="string"&&typeof partition.policy==="string",`partitionTables entr\
ies must be { tableName, policy } records, received: ${JSON.stringify(partition)}. The string[] form was removed in 12.2\
8.0.`)}}function formatJobTable(command,table){return command.replace(/\.job\b/g,`.${table}`).replace(/\bjob_i(\d+)/g,`${table}\
_i$1`)}function inlineAsyncCommand(schema,asyncMigration,version,partitionTables){const isLegacy=typeof asyncMigration===
"string";const asyncCommand=isLegacy?asyncMigration:asyncMigration.command;const nameMatch=isLegacy?asyncCommand.match(/job_table_run_async\(\s*'([^']+)'/):
null;const bodyMatch=isLegacy?asyncCommand.match(/\$\$([\s\S]*?)\$\$/):null;const tableMatch=isLegacy?asyncCommand.match(
/\$\$\s*,\s*'([^']+)'/):null;assert3(!isLegacy||nameMatch&&bodyMatch,`Unable to inline async migration command: ${asyncCommand}`);
const commandName=isLegacy?nameMatch[1]:asyncMigration.name;const body=(isLegacy?bodyMatch[1]:asyncMigration.command).trim();
const partitionPolicy=isLegacy?void 0:asyncMigration.partitionPolicy;const eligiblePartitions=partitionTables.filter(partition=>!partitionPolicy||
partition.policy===partitionPolicy).map(partition=>partition.tableName);const targetTables=tableMatch?[tableMatch[1]]:["\
job_common",...eligiblePartitions];return targetTables.map(table=>{const ddl=formatJobTable(body,table).replace(/(CREATE (?:UNIQUE )?INDEX CONCURRENTLY)(?! IF NOT EXISTS) /,
"$1 IF NOT EXISTS ");const comment=`-- inlined from ${schema}.job_table_run_async (migration v${version}, command: ${commandName}\
)`;return`${comment}
${ddl}`})}function renderAsyncCommand(schema,asyncMigration,version){if(typeof asyncMigration==="string"){return asyncMigration.
replace(/\$VERSION\$/g,String(version))}const name=asyncMigration.name.replaceAll("'","''");const policy=asyncMigration.
partitionPolicy?.replaceAll("'","''");if(!policy){return`SELECT ${schema}.job_table_run_async('${name}', ${version}, $$${asyncMigration.
command}$$)`}return`SELECT ${schema}.job_table_run_async(
    '${name}',
    ${version},
    $$${asyncMigration.command}$$,
    targets.table_name,
    targets.queue_name
  )
  FROM (
    SELECT 'job_common'::text AS table_name, NULL::text AS queue_name
    UNION ALL
    SELECT table_name, name FROM ${schema}.queue WHERE partition = true AND policy = '${policy}'
  ) targets`}function flatten(schema,commands,version,noAdvisoryLocks){commands.unshift(assertMigration(schema,version));
commands.push(setVersion(schema,version));return locked(schema,commands,void 0,noAdvisoryLocks)}function rollback(schema,version,migrations,noAdvisoryLocks){
migrations=migrations||getAll(schema);const result=migrations.find(i2=>i2.version===version);assert3(result,`Version ${version}\
 not found.`);const clearAsync=result.async?.length?[`DELETE FROM ${schema}.bam WHERE version = ${result.version} AND st\
atus <> 'completed'`]:[];return flatten(schema,[...clearAsync,...result.uninstall||[]],result.previous,noAdvisoryLocks)}
function next(schema,version,migrations,noAdvisoryLocks){migrations=migrations||getAll(schema);const result=migrations.find(
i2=>i2.previous===version);assert3(result,`Version ${version} not found.`);return flatten(schema,result.install,result.version,
noAdvisoryLocks)}function migrateCommands(schema,version,migrations,noAdvisoryLocks,options={}){migrations=migrations||getAll(
schema);if(Number.isInteger(version)&&version!==0){const minPrevious=Math.min(...migrations.map(i2=>i2.previous));assert3(
version>=minPrevious,`Cannot migrate pg-boss schema from version ${version}: the oldest supported starting version is ${minPrevious}\
. Upgrade to a schema at or above that version using an older pg-boss release first.`)}assertPartitionMetadata(options.partitionTables||
[]);const concurrent=[];const result=migrations.filter(i2=>i2.previous>=version).sort((a2,b2)=>a2.version-b2.version).reduce(
(acc,migration)=>{acc.install=acc.install.concat(migration.install);if(migration.async){if(options.inlineAsync){for(const cmd of migration.
async){concurrent.push(...inlineAsyncCommand(schema,cmd,migration.version,options.partitionTables||[]))}}else{const bamCommands=migration.
async.map(cmd=>renderAsyncCommand(schema,cmd,migration.version));acc.install=acc.install.concat(bamCommands)}}acc.version=
migration.version;return acc},{install:[],version});assert3(result.install.length>0,`Version ${version} not found.`);return{
sql:flatten(schema,result.install,result.version,noAdvisoryLocks),concurrent}}function migrate(schema,version,migrations,noAdvisoryLocks,options={}){
const{sql:sql2,concurrent}=migrateCommands(schema,version,migrations,noAdvisoryLocks,options);return concurrent.length?`${sql2}\

${concurrent.join(";\n")};`:sql2}var createQueueFn={26:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE format('ALTER TABLE ${schema}.%1$I ADD PRIMARY KEY (name, id)', tablename);
      EXECUTE format('ALTER TABLE ${schema}.%1$I ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES ${schema}.queue (na\
me) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED', tablename);
      EXECUTE format('ALTER TABLE ${schema}.%1$I ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES ${schema}.\
queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED', tablename);

      EXECUTE format('CREATE INDEX %1$s_i5 ON ${schema}.%1$I (name, start_after) INCLUDE (priority, created_on, id) WHER\
E state < ''active''', tablename);
      EXECUTE format('CREATE UNIQUE INDEX %1$s_i4 ON ${schema}.%1$I (name, singleton_on, COALESCE(singleton_key, '''')) \
WHERE state <> ''cancelled'' AND singleton_on IS NOT NULL', tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE format('CREATE UNIQUE INDEX %1$s_i1 ON ${schema}.%1$I (name, COALESCE(singleton_key, '''')) WHERE state \
= ''created'' AND policy = ''short''', tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE format('CREATE UNIQUE INDEX %1$s_i2 ON ${schema}.%1$I (name, COALESCE(singleton_key, '''')) WHERE state \
= ''active'' AND policy = ''singleton''', tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE format('CREATE UNIQUE INDEX %1$s_i3 ON ${schema}.%1$I (name, state, COALESCE(singleton_key, '''')) WHERE\
 state <= ''active'' AND policy = ''stately''', tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE format('CREATE UNIQUE INDEX %1$s_i6 ON ${schema}.%1$I (name, COALESCE(singleton_key, '''')) WHERE state \
<= ''active'' AND policy = ''exclusive''', tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,27:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFEREN\
CES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter\
) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) INCLUDE (priority\
, created_on, id) WHERE state < 'active'$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(\
singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'activ\
e' AND group_id IS NOT NULL$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singl\
eton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,28:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFEREN\
CES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter\
) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) INCLUDE (priority\
, created_on, id) WHERE state < 'active'$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(\
singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'activ\
e' AND group_id IS NOT NULL$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singl\
eton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE \
state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_k\
ey_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,30:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFEREN\
CES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter\
) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) INCLUDE (priority\
, created_on, id) WHERE state < 'active'$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(\
singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'activ\
e' AND group_id IS NOT NULL$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singl\
eton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE \
state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_k\
ey_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,31:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFEREN\
CES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter\
) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) INCLUDE (priority\
, created_on, id) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(\
singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'activ\
e' AND group_id IS NOT NULL$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singl\
eton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE \
state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_k\
ey_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,32:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false)
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFEREN\
CES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter\
) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) INCLUDE (priority\
, created_on, id) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(\
singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'activ\
e' AND group_id IS NOT NULL$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singl\
eton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE \
state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_k\
ey_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,33:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false)
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFEREN\
CES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter\
) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) WHERE state < 'ac\
tive' AND NOT blocked$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(\
singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'activ\
e' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i9 ON ${schema}.job (name, id) WHERE blocking AND state =\
 'completed'$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singl\
eton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE \
state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_k\
ey_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,38:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false)
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFEREN\
CES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter\
) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) WHERE state < 'ac\
tive' AND NOT blocked$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(\
singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'activ\
e' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i9 ON ${schema}.job (name, id) WHERE blocking AND state =\
 'completed'$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singl\
eton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE \
state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i10 ON ${schema}.job (name, singleton_key, state DESC, \
created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablen\
ame);
        EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_k\
ey_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,40:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO ${schema}.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false)
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFEREN\
CES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter\
) REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i11 ON ${schema}.job (name, priority DESC, created_on, st\
art_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(\
singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'activ\
e' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i9 ON ${schema}.job (name, id) WHERE blocking AND state =\
 'completed'$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singl\
eton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_ke\
y, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE \
state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i10 ON ${schema}.job (name, singleton_key, state DESC, \
created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablen\
ame);
        EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_k\
ey_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name\
);
    END;
    $$
    LANGUAGE plpgsql;
  `,42:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
    tablename varchar := CASE WHEN options->>'partition' = 'true'
    THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
    ELSE 'job_common'
    END;
    queue_created_on timestamptz;
    BEGIN

    WITH q as (
    INSERT INTO ${schema}.queue (
    name,
    policy,
    retry_limit,
    retry_delay,
    retry_backoff,
    retry_delay_max,
    expire_seconds,
    retention_seconds,
    deletion_seconds,
    warning_queued,
    dead_letter,
    partition,
    table_name,
    heartbeat_seconds,
    notify,
    created_on,
    updated_on
    )
    VALUES (
    queue_name,
    options->>'policy',
    COALESCE((options->>'retryLimit')::int, 2),
    COALESCE((options->>'retryDelay')::int, 0),
    COALESCE((options->>'retryBackoff')::bool, false),
    (options->>'retryDelayMax')::int,
    COALESCE((options->>'expireInSeconds')::int, 900),
    COALESCE((options->>'retentionSeconds')::int, 1209600),
    COALESCE((options->>'deleteAfterSeconds')::int, 604800),
    COALESCE((options->>'warningQueueSize')::int, 0),
    options->>'deadLetter',
    COALESCE((options->>'partition')::bool, false),
    tablename,
    (options->>'heartbeatSeconds')::int,
    COALESCE((options->>'notify')::bool, false),
    ${schema}.job_now(),
    ${schema}.job_now()
    )
    ON CONFLICT DO NOTHING
    RETURNING created_on
    )
    SELECT created_on into queue_created_on from q;

    IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
    RETURN;
    END IF;

    EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

    EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCE\
S ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) \
REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i11 ON ${schema}.job (name, priority DESC, created_on, star\
t_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(si\
ngleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'active'\
 AND group_id IS NOT NULL$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i9 ON ${schema}.job (name, id) WHERE blocking AND state = '\
completed'$cmd$, tablename);

    IF options->>'policy' = 'short' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_key, '\
')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
    ELSIF options->>'policy' = 'singleton' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_key, '\
')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
    ELSIF options->>'policy' = 'stately' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singleton\
_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
    ELSIF options->>'policy' = 'exclusive' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_key, '\
')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
    ELSIF options->>'policy' = 'key_strict_fifo' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE stat\
e IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i10 ON ${schema}.job (name, singleton_key, state DESC, crea\
ted_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename)\
;
    EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_c\
heck CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
    END IF;

    EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
    EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name);\

    END;
    $$
    LANGUAGE plpgsql;
  `,43:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
    tablename varchar := CASE WHEN options->>'partition' = 'true'
    THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
    ELSE 'job_common'
    END;
    queue_created_on timestamptz;
    BEGIN

    WITH q as (
    INSERT INTO ${schema}.queue (
    name,
    policy,
    retry_limit,
    retry_delay,
    retry_backoff,
    retry_delay_max,
    expire_seconds,
    retention_seconds,
    deletion_seconds,
    warning_queued,
    dead_letter,
    partition,
    table_name,
    heartbeat_seconds,
    notify,
    created_on,
    updated_on
    )
    VALUES (
    queue_name,
    options->>'policy',
    COALESCE((options->>'retryLimit')::int, 2),
    COALESCE((options->>'retryDelay')::int, 0),
    COALESCE((options->>'retryBackoff')::bool, false),
    (options->>'retryDelayMax')::int,
    COALESCE((options->>'expireInSeconds')::int, 900),
    COALESCE((options->>'retentionSeconds')::int, 1209600),
    COALESCE((options->>'deleteAfterSeconds')::int, 604800),
    COALESCE((options->>'warningQueueSize')::int, 0),
    options->>'deadLetter',
    COALESCE((options->>'partition')::bool, false),
    tablename,
    (options->>'heartbeatSeconds')::int,
    COALESCE((options->>'notify')::bool, false),
    ${schema}.job_now(),
    ${schema}.job_now()
    )
    ON CONFLICT DO NOTHING
    RETURNING created_on
    )
    SELECT created_on into queue_created_on from q;

    IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
    RETURN;
    END IF;

    EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.job INCLUDING DEFAULTS)', tablename);

    EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCE\
S ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) \
REFERENCES ${schema}.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i11 ON ${schema}.job (name, priority DESC, created_on, star\
t_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ${schema}.job (name, singleton_on, COALESCE(si\
ngleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i7 ON ${schema}.job (name, group_id) WHERE state = 'active'\
 AND group_id IS NOT NULL$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i9 ON ${schema}.job (name, id) WHERE blocking AND state = '\
completed'$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i12 ON ${schema}.job (source_root_id) WHERE source_root_id \
IS NOT NULL$cmd$, tablename);

    IF options->>'policy' = 'short' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ${schema}.job (name, COALESCE(singleton_key, '\
')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
    ELSIF options->>'policy' = 'singleton' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ${schema}.job (name, COALESCE(singleton_key, '\
')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
    ELSIF options->>'policy' = 'stately' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ${schema}.job (name, state, COALESCE(singleton\
_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
    ELSIF options->>'policy' = 'exclusive' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ${schema}.job (name, COALESCE(singleton_key, '\
')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
    ELSIF options->>'policy' = 'key_strict_fifo' THEN
    EXECUTE ${schema}.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ${schema}.job (name, singleton_key) WHERE stat\
e IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE ${schema}.job_table_format($cmd$CREATE INDEX job_i10 ON ${schema}.job (name, singleton_key, state DESC, crea\
ted_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename)\
;
    EXECUTE ${schema}.job_table_format($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_c\
heck CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
    END IF;

    EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
    EXECUTE format('ALTER TABLE ${schema}.job ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L)', tablename, queue_name);\

    END;
    $$
    LANGUAGE plpgsql;
  `};var createQueueNoPartitionFn={41:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    BEGIN
    INSERT INTO ${schema}.queue (
    name,
    policy,
    retry_limit,
    retry_delay,
    retry_backoff,
    retry_delay_max,
    expire_seconds,
    retention_seconds,
    deletion_seconds,
    warning_queued,
    dead_letter,
    partition,
    table_name,
    heartbeat_seconds
    )
    VALUES (
    queue_name,
    options->>'policy',
    COALESCE((options->>'retryLimit')::int, 2),
    COALESCE((options->>'retryDelay')::int, 0),
    COALESCE((options->>'retryBackoff')::bool, false),
    (options->>'retryDelayMax')::int,
    COALESCE((options->>'expireInSeconds')::int, 900),
    COALESCE((options->>'retentionSeconds')::int, 1209600),
    COALESCE((options->>'deleteAfterSeconds')::int, 604800),
    COALESCE((options->>'warningQueueSize')::int, 0),
    options->>'deadLetter',
    false,
    'job',
    (options->>'heartbeatSeconds')::int
    )
    ON CONFLICT DO NOTHING;
    END;
    $$
    LANGUAGE plpgsql;
  `,42:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    BEGIN
    INSERT INTO ${schema}.queue (
    name,
    policy,
    retry_limit,
    retry_delay,
    retry_backoff,
    retry_delay_max,
    expire_seconds,
    retention_seconds,
    deletion_seconds,
    warning_queued,
    dead_letter,
    partition,
    table_name,
    heartbeat_seconds,
    created_on,
    updated_on
    )
    VALUES (
    queue_name,
    options->>'policy',
    COALESCE((options->>'retryLimit')::int, 2),
    COALESCE((options->>'retryDelay')::int, 0),
    COALESCE((options->>'retryBackoff')::bool, false),
    (options->>'retryDelayMax')::int,
    COALESCE((options->>'expireInSeconds')::int, 900),
    COALESCE((options->>'retentionSeconds')::int, 1209600),
    COALESCE((options->>'deleteAfterSeconds')::int, 604800),
    COALESCE((options->>'warningQueueSize')::int, 0),
    options->>'deadLetter',
    false,
    'job',
    (options->>'heartbeatSeconds')::int,
    ${schema}.job_now(),
    ${schema}.job_now()
    )
    ON CONFLICT DO NOTHING;
    END;
    $$
    LANGUAGE plpgsql;
  `};var createTableQueueStatsFn={35:(schema,noPartitioning)=>noPartitioning?`
      CREATE TABLE ${schema}.queue_stats (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        name text NOT NULL,
        deferred_count int NOT NULL DEFAULT 0,
        queued_count   int NOT NULL DEFAULT 0,
        ready_count    int NOT NULL DEFAULT 0,
        active_count   int NOT NULL DEFAULT 0,
        failed_count   int NOT NULL DEFAULT 0,
        total_count    int NOT NULL DEFAULT 0,
        captured_on timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (id)
      )
    `:`
    CREATE TABLE ${schema}.queue_stats (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      name text NOT NULL,
      deferred_count int NOT NULL DEFAULT 0,
      queued_count   int NOT NULL DEFAULT 0,
      ready_count    int NOT NULL DEFAULT 0,
      active_count   int NOT NULL DEFAULT 0,
      failed_count   int NOT NULL DEFAULT 0,
      total_count    int NOT NULL DEFAULT 0,
      captured_on timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (id, captured_on)
    ) PARTITION BY RANGE (captured_on)
  `};var createIndexQueueStatsFn={35:(schema,noCovering)=>{const cols="(name, captured_on DESC)";const include="INCLUDE \
(deferred_count, queued_count, ready_count, active_count, failed_count, total_count)";return noCovering?`CREATE INDEX qu\
eue_stats_i1 ON ${schema}.queue_stats ${cols}`:`CREATE INDEX queue_stats_i1 ON ${schema}.queue_stats ${cols} ${include}`}};
var ensureQueueStatsPartitionsFn={35:schema=>`
    DO $$
    DECLARE
      d date;
      i int;
      part_name text;
    BEGIN
      FOR i IN 0..1 LOOP
        d := (now() AT TIME ZONE 'UTC')::date + i;
        part_name := 'queue_stats_' || to_char(d, 'YYYYMMDD');
        IF NOT EXISTS (
          SELECT 1 FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = '${resolveSchemaName(schema)}' AND c.relname = part_name
        ) THEN
          EXECUTE format(
            'CREATE TABLE ${schema}.%I PARTITION OF ${schema}.queue_stats FOR VALUES FROM (%L) TO (%L)',
            part_name,
            to_char(d, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(d + 1, 'YYYY-MM-DD') || ' 00:00:00+00'
          );
        END IF;
      END LOOP;
    END;
    $$
  `};var jobTableFormatFn={36:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.job_table_format(command text, table_name text)
    RETURNS text AS
    $$
      SELECT format(
        replace(
          replace(command, '.job', '.%1$I'),
          'job_i', '%1$s_i'
        ),
        table_name
      );
    $$
    LANGUAGE sql IMMUTABLE;
  `,37:schema=>`
    CREATE OR REPLACE FUNCTION ${schema}.job_table_format(command text, table_name text)
    RETURNS text AS
    $$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\\.job\\y', '.%1$I', 'g'),
          '\\yjob_i(\\d+)', '%1$s_i\\1', 'g'
        ),
        table_name
      );
    $$
    LANGUAGE sql IMMUTABLE;
  `};function getAllForConfig(config){return getAll(config.schema,config.noTablePartitioning,config.noCoveringIndexes,config.
noAddColumnBackfill)}function getAll(schema,noPartitioning=false,noCovering=false,noAddColumnBackfill=false){return[{release:"\
11.1.0",version:26,previous:25,install:[createQueueFn[26](schema),`CREATE UNIQUE INDEX job_i6 ON ${schema}.job_common (n\
ame, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'`],uninstall:[`DROP INDEX ${schema}.jo\
b_i6`]},{release:"12.6.0",version:27,previous:26,install:[`ALTER TABLE ${schema}.version ADD COLUMN IF NOT EXISTS bam_on\
 timestamp with time zone`,`
        CREATE TABLE IF NOT EXISTS ${schema}.bam (
          id uuid PRIMARY KEY default gen_random_uuid(),
          name text NOT NULL,
          version int NOT NULL,
          status text NOT NULL DEFAULT 'pending',
          queue text,
          table_name text NOT NULL,
          command text NOT NULL,
          error text,
          created_on timestamp with time zone NOT NULL DEFAULT now(),
          started_on timestamp with time zone,
          completed_on timestamp with time zone
        )
        `,`CREATE FUNCTION ${schema}.job_table_format(command text, table_name text)
          RETURNS text AS
          $$
            SELECT format(
              replace(
                replace(command, '.job', '.%1$I'),
                'job_i', '%1$s_i'
              ),
              table_name
            );
          $$
          LANGUAGE sql IMMUTABLE;
        `,`
        CREATE OR REPLACE FUNCTION ${schema}.job_table_run_async(command_name text, version int, command text, tbl_name \
text DEFAULT NULL, queue_name text DEFAULT NULL)
        RETURNS VOID AS
        $$
        BEGIN
          IF queue_name IS NOT NULL THEN
            SELECT table_name INTO tbl_name FROM ${schema}.queue WHERE name = queue_name;
          END IF;

          IF tbl_name IS NOT NULL THEN
            INSERT INTO ${schema}.bam (name, version, status, queue, table_name, command)
            VALUES (
              command_name,
              version,
              'pending',
              queue_name,
              tbl_name,
              ${schema}.job_table_format(command, tbl_name)
            );
            RETURN;
          END IF;

          INSERT INTO ${schema}.bam (name, version, status, queue, table_name, command)
          SELECT
            command_name,
            version,
            'pending',
            NULL,
            'job_common',
            ${schema}.job_table_format(command, 'job_common')
          UNION ALL
          SELECT
            command_name,
            version,
            'pending',
            queue.name,
            queue.table_name,
            ${schema}.job_table_format(command, queue.table_name)
          FROM ${schema}.queue
          WHERE partition = true;
        END;
        $$
        LANGUAGE plpgsql;
        `,`
        CREATE OR REPLACE FUNCTION ${schema}.job_table_run(command text, tbl_name text DEFAULT NULL, queue_name text DEF\
AULT NULL)
        RETURNS VOID AS
        $$
        DECLARE
          tbl RECORD;
        BEGIN
          IF queue_name IS NOT NULL THEN
            SELECT table_name INTO tbl_name FROM ${schema}.queue WHERE name = queue_name;
          END IF;

          IF tbl_name IS NOT NULL THEN
            EXECUTE ${schema}.job_table_format(command, tbl_name);
            RETURN;
          END IF;

          EXECUTE ${schema}.job_table_format(command, 'job_common');

          FOR tbl IN SELECT table_name FROM ${schema}.queue WHERE partition = true
          LOOP
            EXECUTE ${schema}.job_table_format(command, tbl.table_name);
          END LOOP;
        END;
        $$
        LANGUAGE plpgsql;
        `,`ALTER TABLE ${schema}.job ADD COLUMN IF NOT EXISTS group_id text`,`ALTER TABLE ${schema}.job ADD COLUMN IF NO\
T EXISTS group_tier text`,createQueueFn[27](schema),`ALTER INDEX IF EXISTS ${schema}.job_i1 RENAME TO job_common_i1`,`AL\
TER INDEX IF EXISTS ${schema}.job_i2 RENAME TO job_common_i2`,`ALTER INDEX IF EXISTS ${schema}.job_i3 RENAME TO job_comm\
on_i3`,`ALTER INDEX IF EXISTS ${schema}.job_i4 RENAME TO job_common_i4`,`ALTER INDEX IF EXISTS ${schema}.job_i5 RENAME T\
O job_common_i5`,`ALTER INDEX IF EXISTS ${schema}.job_i6 RENAME TO job_common_i6`,`ALTER INDEX IF EXISTS ${schema}.job_i\
7 RENAME TO job_common_i7`],async:[`SELECT ${schema}.job_table_run_async(
          'group_concurency_index',
          $VERSION$,
          $$
          CREATE INDEX CONCURRENTLY IF NOT EXISTS job_i7 ON ${schema}.job (name, group_id) WHERE state = 'active' AND gr\
oup_id IS NOT NULL
          $$
        )`],uninstall:[`ALTER INDEX ${schema}.job_common_i6 RENAME TO job_i6`,`ALTER INDEX ${schema}.job_common_i5 RENAM\
E TO job_i5`,`ALTER INDEX ${schema}.job_common_i4 RENAME TO job_i4`,`ALTER INDEX ${schema}.job_common_i3 RENAME TO job_i\
3`,`ALTER INDEX ${schema}.job_common_i2 RENAME TO job_i2`,`ALTER INDEX ${schema}.job_common_i1 RENAME TO job_i1`,`SELECT\
 ${schema}.job_table_run('DROP INDEX IF EXISTS ${schema}.job_i7')`,createQueueFn[26](schema),`DROP FUNCTION ${schema}.jo\
b_table_run(text, text, text)`,`DROP FUNCTION ${schema}.job_table_run_async(text, int, text, text, text)`,`DROP FUNCTION\
 ${schema}.job_table_format(text, text)`,`DROP TABLE ${schema}.bam`,`ALTER TABLE ${schema}.version DROP COLUMN bam_on`,`\
ALTER TABLE ${schema}.job DROP COLUMN group_tier`,`ALTER TABLE ${schema}.job DROP COLUMN group_id`]},{release:"12.10.0",
version:28,previous:27,install:[`SELECT ${schema}.job_table_run($cmd$ALTER TABLE ${schema}.job ADD CONSTRAINT job_key_st\
rict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, 'job_common')`,createQueueFn[28](
schema)],async:[`SELECT ${schema}.job_table_run_async(
          'key_strict_fifo_index',
          $VERSION$,
          $$
          CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS job_i8 ON ${schema}.job (name, singleton_key) WHERE state IN ('\
active', 'retry', 'failed') AND policy = 'key_strict_fifo'
          $$
        , 'job_common')`],uninstall:[`SELECT ${schema}.job_table_run('DROP INDEX IF EXISTS ${schema}.job_i8')`,`SELECT ${schema}\
.job_table_run('ALTER TABLE ${schema}.job DROP CONSTRAINT IF EXISTS job_key_strict_fifo_singleton_key_check')`,createQueueFn[27](
schema)]},{release:"12.11.0",version:29,previous:28,install:[`CREATE TABLE ${schema}.warning (
          id uuid PRIMARY KEY default gen_random_uuid(),
          type text NOT NULL,
          message text NOT NULL,
          data jsonb,
          created_on timestamp with time zone NOT NULL DEFAULT now()
        )`,`CREATE INDEX warning_i1 ON ${schema}.warning (created_on DESC)`],uninstall:[`DROP INDEX ${schema}.warning_i1`,
`DROP TABLE ${schema}.warning`]},{release:"12.12.0",version:30,previous:29,install:[`ALTER TABLE ${schema}.job ADD COLUM\
N heartbeat_on timestamp with time zone`,`ALTER TABLE ${schema}.job ADD COLUMN heartbeat_seconds int`,`ALTER TABLE ${schema}\
.queue ADD COLUMN heartbeat_seconds int`,createQueueFn[30](schema)],uninstall:[createQueueFn[28](schema),`ALTER TABLE ${schema}\
.queue DROP COLUMN heartbeat_seconds`,`ALTER TABLE ${schema}.job DROP COLUMN heartbeat_seconds`,`ALTER TABLE ${schema}.j\
ob DROP COLUMN heartbeat_on`]},{release:"12.19.0",version:31,previous:30,install:[`ALTER TABLE ${schema}.job ADD COLUMN \
blocked boolean NOT NULL DEFAULT false`,`ALTER TABLE ${schema}.job ADD COLUMN blocking boolean NOT NULL DEFAULT false`,`\
ALTER TABLE ${schema}.job ADD COLUMN pending_dependencies int NOT NULL DEFAULT 0`,`
        CREATE TABLE IF NOT EXISTS ${schema}.job_dependency (
          child_name text NOT NULL,
          child_id uuid NOT NULL,
          parent_name text NOT NULL,
          parent_id uuid NOT NULL,
          PRIMARY KEY (child_name, child_id, parent_name, parent_id)
        )
        `,`CREATE INDEX IF NOT EXISTS job_dep_parent_idx ON ${schema}.job_dependency (parent_name, parent_id)`,createQueueFn[31](
schema)],uninstall:[`DROP INDEX IF EXISTS ${schema}.job_dep_parent_idx`,`DROP TABLE IF EXISTS ${schema}.job_dependency`,
createQueueFn[30](schema),`SELECT ${schema}.job_table_run($cmd$DROP INDEX IF EXISTS ${schema}.job_i5$cmd$)`,`SELECT ${schema}\
.job_table_run($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) INCLUDE (priority, created_on, id) WHERE st\
ate < 'active'$cmd$)`,`ALTER TABLE ${schema}.job DROP COLUMN pending_dependencies`,`ALTER TABLE ${schema}.job DROP COLUM\
N blocking`,`ALTER TABLE ${schema}.job DROP COLUMN blocked`]},{release:"12.21.0",version:32,previous:31,install:[`ALTER \
TABLE ${schema}.queue ADD COLUMN notify boolean NOT NULL DEFAULT false`,createQueueFn[32](schema),`ALTER TABLE ${schema}\
.queue ADD COLUMN failed_count int NOT NULL DEFAULT 0`,`ALTER TABLE ${schema}.queue ADD COLUMN ready_count int NOT NULL \
DEFAULT 0`],uninstall:[`ALTER TABLE ${schema}.queue DROP COLUMN ready_count`,`ALTER TABLE ${schema}.queue DROP COLUMN fa\
iled_count`,createQueueFn[31](schema),`ALTER TABLE ${schema}.queue DROP COLUMN notify`]},{release:"12.22.0",version:33,previous:32,
install:[`ALTER TABLE ${schema}.version ADD COLUMN IF NOT EXISTS flow_on timestamp with time zone`,`ALTER TABLE ${schema}\
.bam ALTER COLUMN created_on SET DEFAULT clock_timestamp()`,createQueueFn[33](schema)],async:[`SELECT ${schema}.job_tabl\
e_run_async(
          'flow_resolver_index',
          $VERSION$,
          $$
          CREATE INDEX CONCURRENTLY IF NOT EXISTS job_i9 ON ${schema}.job (name, id) WHERE blocking AND state = 'complet\
ed'
          $$
        )`,`SELECT ${schema}.job_table_run_async(
          'fetch_index_drop',
          $VERSION$,
          $$
          DROP INDEX CONCURRENTLY IF EXISTS ${schema}.job_i5
          $$
        )`,`SELECT ${schema}.job_table_run_async(
          'fetch_index',
          $VERSION$,
          $$
          CREATE INDEX CONCURRENTLY IF NOT EXISTS job_i5 ON ${schema}.job (name, start_after) WHERE state < 'active' AND\
 NOT blocked
          $$
        )`],uninstall:[createQueueFn[32](schema),`SELECT ${schema}.job_table_run($cmd$DROP INDEX IF EXISTS ${schema}.job\
_i5$cmd$)`,`SELECT ${schema}.job_table_run($cmd$CREATE INDEX job_i5 ON ${schema}.job (name, start_after) INCLUDE (priori\
ty, created_on, id) WHERE state < 'active' AND NOT blocked$cmd$)`,`SELECT ${schema}.job_table_run($cmd$DROP INDEX IF EXI\
STS ${schema}.job_i9$cmd$)`,`ALTER TABLE ${schema}.version DROP COLUMN flow_on`]},{release:"12.23.0",version:34,previous:33,
install:[`ALTER TABLE ${schema}.job ADD COLUMN IF NOT EXISTS source_name text`,`ALTER TABLE ${schema}.job ADD COLUMN IF \
NOT EXISTS source_id uuid`,`ALTER TABLE ${schema}.job ADD COLUMN IF NOT EXISTS source_created_on timestamp with time zon\
e`,`ALTER TABLE ${schema}.job ADD COLUMN IF NOT EXISTS source_retry_count int`],uninstall:[`ALTER TABLE ${schema}.job DR\
OP COLUMN source_name`,`ALTER TABLE ${schema}.job DROP COLUMN source_id`,`ALTER TABLE ${schema}.job DROP COLUMN source_c\
reated_on`,`ALTER TABLE ${schema}.job DROP COLUMN source_retry_count`]},{release:"12.24.0",version:35,previous:34,install:[
...noPartitioning?[createTableQueueStatsFn[35](schema,true),createIndexQueueStatsFn[35](schema,noCovering)]:[createTableQueueStatsFn[35](
schema,false),createIndexQueueStatsFn[35](schema,noCovering),ensureQueueStatsPartitionsFn[35](schema)],`ALTER TABLE ${schema}\
.queue ADD COLUMN ready_history int[] NOT NULL DEFAULT '{}'`],uninstall:[`ALTER TABLE ${schema}.queue DROP COLUMN ready_\
history`,`DROP TABLE IF EXISTS ${schema}.queue_stats`]},{release:"12.24.1",version:36,previous:35,install:[`ALTER TABLE ${schema}\
.bam ALTER COLUMN created_on SET DEFAULT clock_timestamp()`],uninstall:[]},{release:"12.26.0",version:37,previous:36,install:noPartitioning?
[]:[jobTableFormatFn[37](schema)],uninstall:noPartitioning?[]:[jobTableFormatFn[36](schema)]},{release:"12.28.0",version:38,
previous:37,install:noPartitioning?[`CREATE INDEX job_i10 ON ${schema}.job (name, singleton_key, state DESC, created_on,\
 id)${noCovering?"":" INCLUDE (start_after)"} WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'`]:[createQueueFn[38](
schema)],async:noPartitioning?[]:[{name:"key_strict_fifo_head_index",partitionPolicy:"key_strict_fifo",command:`CREATE I\
NDEX CONCURRENTLY IF NOT EXISTS job_i10 ON ${schema}.job (name, singleton_key, state DESC, created_on, id) INCLUDE (star\
t_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'`}],uninstall:noPartitioning?[`DROP INDEX \
IF EXISTS ${schema}.job_i10`]:[createQueueFn[33](schema),`SELECT ${schema}.job_table_run($cmd$DROP INDEX IF EXISTS ${schema}\
.job_i10$cmd$)`]},{release:"12.29.0",version:39,previous:38,install:[`ALTER TABLE ${schema}.version ADD COLUMN IF NOT EX\
ISTS reindex_on timestamp with time zone`],uninstall:[`ALTER TABLE ${schema}.version DROP COLUMN reindex_on`]},{release:"\
12.30.0",version:40,previous:39,install:[`ALTER TABLE ${schema}.version ADD COLUMN IF NOT EXISTS monitor_backoff_on time\
stamp with time zone`,`ALTER TABLE ${schema}.queue ADD COLUMN IF NOT EXISTS monitor_claim_on timestamp with time zone`,...noAddColumnBackfill?
[]:[`UPDATE ${schema}.queue SET monitor_claim_on = monitor_on WHERE monitor_claim_on IS NULL`],...noPartitioning?[`CREAT\
E INDEX job_i11 ON ${schema}.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked`,
`DROP INDEX IF EXISTS ${schema}.job_i5`]:[createQueueFn[40](schema)]],async:noPartitioning?[]:[{name:"fetch_index_priori\
ty_build",command:`CREATE INDEX CONCURRENTLY IF NOT EXISTS job_i11 ON ${schema}.job (name, priority DESC, created_on, st\
art_after) WHERE state < 'active' AND NOT blocked`},{name:"fetch_index_retire",command:`DROP INDEX CONCURRENTLY IF EXIST\
S ${schema}.job_i5`}],uninstall:[...noPartitioning?[`CREATE INDEX IF NOT EXISTS job_i5 ON ${schema}.job (name, start_aft\
er) WHERE state < 'active' AND NOT blocked`,`DROP INDEX IF EXISTS ${schema}.job_i11`]:[createQueueFn[38](schema),`SELECT\
 ${schema}.job_table_run($cmd$CREATE INDEX IF NOT EXISTS job_i5 ON ${schema}.job (name, start_after) WHERE state < 'acti\
ve' AND NOT blocked$cmd$)`,`SELECT ${schema}.job_table_run($cmd$DROP INDEX IF EXISTS ${schema}.job_i11$cmd$)`],`ALTER TA\
BLE ${schema}.queue DROP COLUMN monitor_claim_on`,`ALTER TABLE ${schema}.version DROP COLUMN monitor_backoff_on`]},{release:"\
12.31.0",version:41,previous:40,install:[`ALTER TABLE ${schema}.schedule ADD COLUMN IF NOT EXISTS kind text NOT NULL DEF\
AULT 'cron' CHECK (kind IN ('cron', 'rrule'))`,...noAddColumnBackfill?[]:[`UPDATE ${schema}.schedule SET kind = 'rrule'
              WHERE kind = 'cron'
                AND (cron ~* '(^|[[:space:]]|;)FREQ=' OR cron ~* '(^|[[:space:]])(DTSTART|RRULE|RDATE|EXDATE)[;:]')`],`U\
PDATE ${schema}.schedule SET timezone = 'UTC' WHERE timezone IS NULL`,`ALTER TABLE ${schema}.schedule ALTER COLUMN timez\
one SET DEFAULT 'UTC'`,`ALTER TABLE ${schema}.schedule ADD COLUMN IF NOT EXISTS last_job_id uuid`],uninstall:[`ALTER TAB\
LE ${schema}.schedule DROP COLUMN kind`,`ALTER TABLE ${schema}.schedule DROP COLUMN last_job_id`]},{release:"12.33.0",version:42,
previous:41,install:[`CREATE OR REPLACE FUNCTION ${schema}.job_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
      SELECT pg_catalog.now();
    $function$
`,noPartitioning?createQueueNoPartitionFn[42](schema):createQueueFn[42](schema)],uninstall:[noPartitioning?createQueueNoPartitionFn[41](
schema):createQueueFn[40](schema),`DROP FUNCTION ${schema}.job_now()`]},{release:"12.35.0",version:43,previous:42,install:[
`ALTER TABLE ${schema}.queue
          ADD COLUMN created_delta int NOT NULL DEFAULT 0,
          ADD COLUMN completed_delta int NOT NULL DEFAULT 0,
          ADD COLUMN failed_delta int NOT NULL DEFAULT 0,
          ADD COLUMN delta_on timestamp with time zone,
          ADD COLUMN delta_seconds int`,`ALTER TABLE ${schema}.queue_stats
          ADD COLUMN created_delta int,
          ADD COLUMN completed_delta int,
          ADD COLUMN failed_delta int,
          ADD COLUMN delta_seconds int,
          ADD COLUMN delta_on timestamp with time zone`,`ALTER TABLE ${schema}.job
          ADD COLUMN IF NOT EXISTS source_output jsonb,
          ADD COLUMN IF NOT EXISTS source_root_id uuid`,noPartitioning?`CREATE INDEX job_i12 ON ${schema}.job (source_ro\
ot_id) WHERE source_root_id IS NOT NULL`:createQueueFn[43](schema)],async:noPartitioning?[]:[{name:"source_root_index_bu\
ild",command:`CREATE INDEX CONCURRENTLY IF NOT EXISTS job_i12 ON ${schema}.job (source_root_id) WHERE source_root_id IS \
NOT NULL`}],uninstall:[...noPartitioning?[`DROP INDEX IF EXISTS ${schema}.job_i12`]:[createQueueFn[42](schema),`SELECT ${schema}\
.job_table_run($cmd$DROP INDEX IF EXISTS ${schema}.job_i12$cmd$)`],`ALTER TABLE ${schema}.queue
          DROP COLUMN created_delta,
          DROP COLUMN completed_delta,
          DROP COLUMN failed_delta,
          DROP COLUMN delta_on,
          DROP COLUMN delta_seconds`,`ALTER TABLE ${schema}.queue_stats
          DROP COLUMN created_delta,
          DROP COLUMN completed_delta,
          DROP COLUMN failed_delta,
          DROP COLUMN delta_seconds,
          DROP COLUMN delta_on`,`ALTER TABLE ${schema}.job
          DROP COLUMN source_output,
          DROP COLUMN source_root_id`]}]}var package_default={name:"pg-boss",version:"12.35.0",description:"Queueing jobs in Postgres from Node.js like a boss",type:"\
module",main:"./dist/index.js",types:"./dist/index.d.ts",bin:{"pg-boss":"./dist/cli.js"},engines:{node:">=22.12.0"},dependencies:{
"cron-parser":"^5.10.1",pg:"^8.23.0","rrule-temporal":"^2.2.6","serialize-error":"^13.0.1"},devDependencies:{"@electric-\
sql/pglite":"^0.5.8","@prisma/adapter-pg":"^7.10.0","@prisma/client":"^7.10.0","@tsconfig/node-ts":"^23.6.4","@tsconfig/\
node22":"^22.0.6","@types/bun":"^1.4.2","@types/luxon":"^3.7.5","@types/node":"^22.20.4","@types/pg":"^8.23.1","@vitest/\
coverage-v8":"^4.1.2","cli-testlab":"^6.0.1","cross-env":"^10.1.0","drizzle-orm":"^1.0.0-rc.5-ab785fc",eslint:"^9.39.5",
knex:"^3.3.0",kysely:"^0.29.6",luxon:"^3.7.2",neostandard:"^0.13.0",postgres:"^3.4.9",prisma:"^7.10.0",tsx:"^4.23.15",typescript:"\
^6.0.3",vite:"^8.3.0",vitest:"^4.0.18"},scripts:{build:"npm run clean && tsc --project tsconfig.build.json",clean:`node \
-e "fs.rmSync('dist',{recursive:true,force:true})"`,prepublishOnly:"npm install && npm test && npm run build",pretest:"p\
risma generate --schema=test/prisma/schema.prisma && npm run tsc && npm run gen:manifest:check",test:"eslint . && vitest\
 run","test:distributed":"cross-env DISTRIBUTED=true npm test","test:ci":"npm run cover && cross-env DISTRIBUTED=true np\
m run cover && npm run test:pglite","test:cockroachdb":"cross-env DB_TYPE=cockroachdb COCKROACH_HOST=localhost npm test \
-- test/distributedDatabaseTest.ts","test:cockroachdb:migrations":"cross-env DB_TYPE=cockroachdb COCKROACH_HOST=localhos\
t npm test -- test/migrationTest.ts","test:cockroachdb:full":"cross-env DB_TYPE=cockroachdb COCKROACH_HOST=localhost npm\
 test -- --no-file-parallelism","test:cockroachdb:single":"docker compose -f docker-compose.cockroach-single.yaml up -d \
--wait && cross-env DB_TYPE=cockroachdb COCKROACH_HOST=localhost npm test -- --no-file-parallelism","test:yugabytedb:ful\
l":"cross-env DB_TYPE=yugabytedb YUGABYTE_HOST=localhost npm test -- --no-file-parallelism","test:citus:full":"cross-env\
 DB_TYPE=citus CITUS_HOST=localhost npm test","test:pglite":"cross-env DB_TYPE=pglite npm test","test:bun":"tsc --noEmit\
 -p tsconfig.bun.json && bun test test/bun",lint:"eslint .","lint:fix":"eslint . --fix",cover:"npm test -- --coverage",tsc:"\
tsc --noEmit",cli:"node ./dist/cli.js","gen:manifest":"tsx scripts/gen-manifest.ts","gen:manifest:check":"tsx scripts/ge\
n-manifest.ts --check",console:"tsx scripts/console.js",seed:"tsx scripts/seed-queue-stats.js",readme:"node ./examples/r\
eadme.js",docs:"npm run docs:dev --prefix docs","docs:readme":"node ./scripts/sync-readme.js","docs:sponsors":"node --en\
v-file-if-exists=.env ./scripts/sync-sponsors.js","sponsors:label":"node --env-file-if-exists=.env ./scripts/sponsor-lab\
el.js","test:browser":"vite --config test/browser/vite.config.mjs"},pgboss:{schema:43},repository:{type:"git",url:"git+h\
ttps://github.com/timgit/pg-boss.git"},author:"timgit",license:"MIT",bugs:{url:"https://github.com/timgit/pg-boss/issues"},
homepage:"https://pgboss.io",keywords:["postgresql","postgres","queue","job"],files:["dist","README.md","LICENSE","packa\
ge.json"]};var schemaVersion=package_default.pgboss.schema;var BARE_LOWER_IDENTIFIER_REGEX=/^[a-z_][a-z0-9_]*$/;function planConfig(schema,backend){
return getConfig(backend?{schema,backend}:{schema})}async function installConfig(db,config){if(!config.inlineTableIndexes)
return config;const{rows}=await db.executeSql(SERVER_VERSION);const cockroach=/cockroachdb/i.test(String(rows[0]?.version??
""));return cockroach?config:{...config,inlineTableIndexes:false}}var Contractor=class{static constructionPlans(schema=DEFAULT_SCHEMA,options={}){
const{createSchema:createSchema2=true,backend}=options;const config=planConfig(schema,backend);return create(schema,schemaVersion,
{createSchema:createSchema2,noTablePartitioning:config.noTablePartitioning,noDeferrableConstraints:config.noDeferrableConstraints,
noAdvisoryLocks:config.noAdvisoryLocks,noCoveringIndexes:config.noCoveringIndexes,inlineTableIndexes:config.inlineTableIndexes})}static migrationPlans(schema=DEFAULT_SCHEMA,version=schemaVersion-
1,options={}){const config=planConfig(schema,options.backend);return migrate(schema,version,getAllForConfig(config),config.
noAdvisoryLocks,{inlineAsync:true,partitionTables:options.partitionTables})}static rollbackPlans(schema=DEFAULT_SCHEMA,version=schemaVersion,options={}){
const config=planConfig(schema,options.backend);return rollback(schema,version,getAllForConfig(config),config.noAdvisoryLocks)}config;db;migrations;constructor(db,config){
for(const flag of COMPATIBILITY_FLAGS){assert4(typeof config[flag]==="boolean",`contractor assert: config was not resolv\
ed (${flag} is ${typeof config[flag]}). Pass a config from attorney.getConfig().`)}this.config=config;this.db=db;this.migrations=
this.config.migrations||getAllForConfig(this.config)}async schemaVersion(){const result=await this.db.executeSql(getVersion(
this.config.schema));return result.rows.length?parseInt(result.rows[0].version):null}async isInstalled(){const result=await this.
db.executeSql(versionTableExists(this.config.schema));return!!result.rows[0].name}async start(){const installed=await this.
isInstalled();if(installed){const version=await this.schemaVersion();if(version!==null&&schemaVersion>version){await this.
migrate(version)}}else{await this.assertNoSchemaCaseVariant();await this.create()}}async assertNoSchemaCaseVariant(){if(this.
config.allowSchemaCaseVariant){return}const schema=this.config.schema;let variants;try{const result=await this.db.executeSql(
getSchemaCaseVariants(schema));variants=result.rows.map(r2=>r2.name)}catch{return}if(variants.length===0){return}const spellings=variants.
map(name=>BARE_LOWER_IDENTIFIER_REGEX.test(name)?`'${name}'`:`'"${name}"'`);throw new Error(`pg-boss is not installed in\
 schema ${schema}, but is installed in ${variants.map(n2=>`"${n2}"`).join(", ")}, which differs only in case. PostgreSQL\
 folds unquoted names to lower case and stores quoted names verbatim, so these are different schemas. To use the existin\
g installation, set schema: ${spellings.join(" or ")}. To install a new schema beside it anyway, set allowSchemaCaseVari\
ant: true.`)}async detectDrift(options={}){const schema=this.config.schema;const probe=await this.db.executeSql(jobCommonExists(
schema));const partitioned=!!probe.rows[0].name;const partitions=partitioned?(await this.db.executeSql(getManagedQueuePartitions(
schema))).rows:[];const liveResult=await this.db.executeSql(getSchemaIndexes(schema));const live=liveResult.rows.map(r2=>({
name:r2.name,table:r2.table,valid:r2.valid,def:r2.def,constraintBacked:r2.constraintBacked}));let bamCommands=[];try{const bamResult=await this.
db.executeSql(getIncompleteBamCommands(schema));bamCommands=bamResult.rows.map(r2=>r2.command)}catch{bamCommands=[]}let liveFunctions=[];
let functionsSupported=true;try{const fnResult=await this.db.executeSql(getSchemaFunctions(schema));liveFunctions=fnResult.
rows.map(r2=>({name:r2.name,def:r2.def}))}catch{functionsSupported=false}let enumLabels=[];try{const enumResult=await this.
db.executeSql(getEnumDefinition(schema));enumLabels=enumResult.rows.map(r2=>r2.label)}catch{enumLabels=[]}let liveTables=null;
try{const tableResult=await this.db.executeSql(getSchemaTables(schema));liveTables=tableResult.rows.map(r2=>r2.table)}catch{
liveTables=null}let liveColumns=[];try{const colResult=await this.db.executeSql(getSchemaColumns(schema));liveColumns=colResult.
rows.map(r2=>({table:r2.table,column:r2.column,default:r2.default,type:r2.type,notNull:r2.notNull}))}catch{liveColumns=[]}
let liveConstraints=[];try{const conResult=await this.db.executeSql(getSchemaConstraints(schema));liveConstraints=conResult.
rows.map(r2=>({table:r2.table,def:r2.def}))}catch{liveConstraints=[]}const building=new Set(bamCommands.map(bamCommandIndexName).
filter(n2=>n2!==null));const canonicalPg=this.config.backend!=="cockroachdb";const expectedColumns=expectedManagedColumns(
schema,partitioned,partitions).map(c2=>canonicalPg?c2:{table:c2.table,columns:c2.columns});const expectedIndexes=expectedManagedIndexes(
schema,partitioned,partitions).map(i2=>this.config.noCoveringIndexes?{...i2,include:""}:i2);return computeSchemaDrift({indexes:{
expected:expectedIndexes,live,building,presenceOnly:!canonicalPg},tables:{expected:expectedManagedTables(schema,partitioned,
partitions),live:liveTables??[...new Set(liveColumns.map(c2=>c2.table))]},functions:functionsSupported?{expected:expectedManagedFunctions(
schema,partitioned,options),live:liveFunctions,presenceOnly:!canonicalPg}:void 0,columns:{expected:expectedColumns,live:liveColumns},
constraints:canonicalPg?{expected:expectedManagedConstraints(schema,partitioned),live:liveConstraints}:void 0,enum:{name:"\
job_state",expected:EXPECTED_JOB_STATES,actual:enumLabels}})}async detectClockOverride(){try{const result=await this.db.
executeSql(getClockFunctionSource(this.config.schema));return clockFunctionIsOverridden(result.rows[0]?.source)}catch{return false}}async restoreClockFunction(){
await this.db.executeSql(restoreClockFunction(this.config.schema))}async check(){const installed=await this.isInstalled();
if(!installed){throw new Error("pg-boss is not installed")}const version=await this.schemaVersion();if(schemaVersion!==version){
throw new Error("pg-boss database requires migrations")}}async create(){try{const commands=create(this.config.schema,schemaVersion,
await installConfig(this.db,this.config));await this.db.executeSql(commands)}catch(err){assert4(err.message.includes(CREATE_RACE_MESSAGE),
err)}}async migrate(version){try{const commands=migrate(this.config.schema,version,this.migrations,this.config.noAdvisoryLocks);
await this.db.executeSql(commands)}catch(err){assert4(err.message.includes(MIGRATE_RACE_MESSAGE),err)}}async next(version){
const commands=next(this.config.schema,version,this.migrations,this.config.noAdvisoryLocks);await this.db.executeSql(commands)}async rollback(version){
const commands=rollback(this.config.schema,version,this.migrations,this.config.noAdvisoryLocks);await this.db.executeSql(
commands)}};var contractor_default=Contractor;import assert8,{notStrictEqual}from"node:assert";import{randomUUID}from"node:crypto";import EventEmitter3 from"node:events";var isNonErrorSymbol=Symbol("isNonError");function defineProperty(object,key,value){Object.defineProperty(object,key,{value,
writable:false,enumerable:false,configurable:false})}function stringify(value){if(value===void 0){return"undefined"}if(value===
null){return"null"}if(typeof value==="string"){return value}if(typeof value==="number"||typeof value==="boolean"){return String(
value)}if(typeof value==="bigint"){return`${value}n`}if(typeof value==="symbol"){return value.toString()}if(typeof value===
"function"){return`[Function${value.name?` ${value.name}`:" (anonymous)"}]`}if(value instanceof Error){try{return String(
value)}catch{return"<Unserializable error>"}}try{return JSON.stringify(value)}catch{try{return String(value)}catch{return"\
<Unserializable value>"}}}var NonError=class _NonError extends Error{constructor(value,{superclass:Superclass=Error}={}){
if(_NonError.isNonError(value)){return value}if(value instanceof Error){throw new TypeError("Do not pass Error instances\
 to NonError. Throw the error directly instead.")}super(`Non-error value: ${stringify(value)}`);if(Superclass!==Error){Object.
setPrototypeOf(this,Superclass.prototype)}defineProperty(this,"name","NonError");defineProperty(this,isNonErrorSymbol,true);
defineProperty(this,"isNonError",true);defineProperty(this,"value",value)}static isNonError(value){return value?.[isNonErrorSymbol]===
true}static#handleCallback(callback,arguments_){try{const result=callback(...arguments_);if(result&&typeof result.then===
"function"){return(async()=>{try{return await result}catch(error){if(error instanceof Error){throw error}throw new _NonError(
error)}})()}return result}catch(error){if(error instanceof Error){throw error}throw new _NonError(error)}}static try(callback){
return _NonError.#handleCallback(callback,[])}static wrap(callback){return(...arguments_)=>_NonError.#handleCallback(callback,
arguments_)}static[Symbol.hasInstance](instance){return _NonError.isNonError(instance)}};var list=[Error,EvalError,RangeError,ReferenceError,SyntaxError,TypeError,URIError,AggregateError,globalThis.DOMException,
globalThis.AssertionError,globalThis.SystemError].filter(Boolean).map(constructor=>[constructor.name,constructor]);var errorConstructors=new Map(
list);var errorFactories=new Map;var isErrorInstance=value=>value instanceof Error||(Error.isError?.(value)??Object.prototype.
toString.call(value)==="[object Error]");var errorProperties=[{property:"name",enumerable:false},{property:"message",enumerable:false},{property:"stack",enumerable:false},
{property:"code",enumerable:true},{property:"cause",enumerable:false},{property:"errors",enumerable:false}];var toJsonWasCalled=new WeakSet;
var toJSON=from=>{toJsonWasCalled.add(from);try{return from.toJSON()}finally{toJsonWasCalled.delete(from)}};var setProperty=(to2,key,value)=>{
try{to2[key]=value}catch{}};var errorPropertyNames=new Set(errorProperties.map(({property})=>property));var newError=name=>{
if(name==="NonError"){return new NonError}const factory=errorFactories.get(name);if(factory){return factory()}const ErrorConstructor=errorConstructors.
get(name)??Error;return ErrorConstructor===AggregateError?new ErrorConstructor([]):new ErrorConstructor};var skip=Symbol(
"skip");var destroyValue=(value,options,depth)=>{if(value&&value instanceof Uint8Array&&value.constructor?.name==="Buffe\
r"){return options.serialize?"[object Buffer]":value}if(value!==null&&typeof value==="object"&&typeof value.pipe==="func\
tion"&&typeof value.on==="function"){return options.serialize?"[object Stream]":value}if(typeof value==="function"){return options.
serialize?skip:value}if(options.serialize&&typeof value==="bigint"){return`${value}n`}if(!value||typeof value!=="object"){
return value}if(options.seen.has(value)){return"[Circular]"}return destroyCircular({...options,from:value,to:void 0,depth})};
var createTarget=(from,serialize)=>{if(Array.isArray(from)){return[]}if(!serialize&&isErrorLike(from)){return newError(from.
name)}return{}};var canRedefine=(to2,property)=>Object.getOwnPropertyDescriptor(to2,property)?.configurable!==false;var unreadable=Symbol(
"unreadable");var readProperty=(from,property)=>{try{return from[property]}catch{return unreadable}};var isAbsent=(from,property,value)=>(value===
void 0||value===null)&&!Object.hasOwn(from,property);var destroyCircular=options=>{const{from,seen,forceEnumerable,maxDepth,
depth,useToJSON,serialize}=options;const to2=options.to??createTarget(from,serialize);seen.add(from);if(depth>=maxDepth){
seen.delete(from);return to2}if(useToJSON&&typeof from.toJSON==="function"&&!toJsonWasCalled.has(from)){const json=toJSON(
from);if(json!==from){seen.delete(from);return json}}const copyErrorProperties=serialize||isErrorInstance(to2);if(copyErrorProperties){
for(const{property,enumerable}of errorProperties){const rawValue=readProperty(from,property);if(rawValue===unreadable||isAbsent(
from,property,rawValue)){continue}const value=destroyValue(rawValue,options,depth+1);if(value===skip){continue}if(!canRedefine(
to2,property)){setProperty(to2,property,value);continue}Object.defineProperty(to2,property,{value,enumerable:forceEnumerable||
enumerable,configurable:true,writable:true})}}for(const key of Object.keys(from)){if(key==="__proto__"){continue}if(copyErrorProperties&&
errorPropertyNames.has(key)){continue}const value=destroyValue(from[key],options,depth+1);if(value!==skip){setProperty(to2,
key,value)}}seen.delete(from);return to2};function serializeError(value,options={}){const{maxDepth=Number.POSITIVE_INFINITY,
useToJSON=true}=options;if(typeof value!=="object"||value===null){value=new NonError(typeof value==="function"?"<Functio\
n>":value)}return destroyCircular({from:value,seen:new Set,forceEnumerable:true,maxDepth,depth:0,useToJSON,serialize:true})}function isErrorLike(value){return Boolean(value)&&typeof value==="object"&&typeof readProperty(value,"name")==="string"&&
typeof readProperty(value,"message")==="string"&&typeof readProperty(value,"stack")==="string"}import{setImmediate as setImmediate2}from"node:timers/promises";var originals=new WeakMap;function untracked(db){return originals.
get(db)??db}function trackActivity(db){let inFlight=0;let started=0;let waiters=[];const track=fn2=>async(...args)=>{inFlight++;
started++;try{return await fn2(...args)}finally{inFlight--;if(inFlight===0){const settled=waiters;waiters=[];for(const resolve of settled)
resolve()}}};const wrap=(target,overrides)=>new Proxy(target,{get(t2,key){if(Object.hasOwn(overrides,key))return overrides[key];
const value=Reflect.get(t2,key);return typeof value==="function"?value.bind(t2):value},set(t2,key,value){if(Object.hasOwn(
overrides,key)){overrides[key]=value;return true}return Reflect.set(t2,key,value)}});const wrapDb=inner=>{const overrides={
executeSql:track((text,values)=>inner.executeSql(text,values))};if(typeof inner.beginTransaction==="function"){overrides.
beginTransaction=track(async()=>wrapTransaction(await inner.beginTransaction()))}const withTransaction=inner.withTransaction;
if(typeof withTransaction==="function"){overrides.withTransaction=track(fn2=>withTransaction.call(inner,fn2))}const tracked=wrap(
inner,overrides);originals.set(tracked,inner);return tracked};const wrapTransaction=tx=>wrap(tx,{db:wrapDb(tx.db),commit:track(
()=>tx.commit()),rollback:track(()=>tx.rollback())});async function idle(){let waited=false;for(;;){if(inFlight>0){waited=
true;await new Promise(resolve=>waiters.push(resolve));continue}const seen=started;await setImmediate2();if(inFlight===0&&
started===seen)return waited;waited=true}}return{db:wrapDb(db),idle}}import EventEmitter from"node:events";import assert5 from"node:assert";var DEFAULT_LISTEN_HEARTBEAT_INTERVAL_MS=1e4;var DEFAULT_LISTEN_HEARTBEAT_TIMEOUT_MS=5e3;var DEFAULT_LISTEN_KEEP_ALIVE_INITIAL_DELAY_MS=1e4;
var TRANSACTION_ROLLBACK_TIMEOUT_MS=5e3;var Db=class extends EventEmitter{pool;config;clock;sessionStatements=[];_pgbdb;opened;constructor(config){
super();this.clock=config.clock??systemClock2;config.application_name=config.application_name||"pgboss";config.connectionTimeoutMillis??=
1e4;this.config=config;this._pgbdb=true;this.opened=false}events={error:"error"};async open(){this.pool=new esm_default.
Pool(this.config);this.pool.on("error",error=>this.emit("error",error));this.pool.on("connect",client=>{for(const statement of this.
sessionStatements){client.query(statement).catch(error=>this.emit("error",error))}});this.opened=true}async close(){if(!this.
pool.ending){this.opened=false;await this.pool.end()}}async setSessionStatements(statements){if(!this.opened||statements.
length===0){this.sessionStatements=statements;return}assert5(this.pool.idleCount===this.pool.totalCount&&this.pool.waitingCount===
0,"configuration assert: setSessionStatements cannot reach connections that are already checked out - call it before ope\
n(), or while the pool is idle");this.sessionStatements=statements;const clients=await Promise.all(Array.from({length:this.
pool.totalCount},async()=>await this.pool.connect()));try{await Promise.all(clients.map(async client=>{for(const statement of statements){
await client.query(statement)}}))}finally{for(const client of clients)client.release()}}async executeSql(text,values){assert5(
this.opened,"Database not opened. Call open() before executing SQL.");return await this.pool.query(text,values)}async listen(channel,onNotification,onReconnect){
assert5(this.opened,"Database not opened. Call open() before listening.");let closed=false;let client=null;let reconnectTimer=null;
let heartbeatTimer=null;let attempt=0;const heartbeatInterval=this.config.notifyHeartbeatIntervalMs??DEFAULT_LISTEN_HEARTBEAT_INTERVAL_MS;
const heartbeatTimeout=this.config.notifyHeartbeatTimeoutMs??DEFAULT_LISTEN_HEARTBEAT_TIMEOUT_MS;const keepAliveInitialDelay=this.
config.notifyKeepAliveInitialDelayMs??DEFAULT_LISTEN_KEEP_ALIVE_INITIAL_DELAY_MS;let established=false;const clearHeartbeat=()=>{
if(!heartbeatTimer)return;this.clock.clearTimeout(heartbeatTimer);heartbeatTimer=null};const scheduleReconnect=()=>{if(closed||
reconnectTimer)return;const backoff=Math.min(3e4,1e3*2**Math.min(attempt,5));attempt++;reconnectTimer=this.clock.setTimeout(
()=>{reconnectTimer=null;connect().catch(()=>scheduleReconnect())},backoff)};const disconnect=(target,error)=>{if(closed||
client!==target)return;clearHeartbeat();client=null;target.removeAllListeners();target.end().catch(()=>{});this.emit("er\
ror",error);if(established)scheduleReconnect()};const scheduleHeartbeat=target=>{if(closed||client!==target)return;heartbeatTimer=
this.clock.setTimeout(()=>{heartbeatTimer=null;heartbeat(target).catch(error=>disconnect(target,error))},heartbeatInterval)};
const heartbeat=async target=>{if(closed||client!==target)return;let timeout=null;const query=target.query(`SELECT EXIST\
S (
           SELECT 1
             FROM pg_listening_channels() AS active(channel)
            WHERE channel = $1
         ) AS listening`,[channel]);query.catch(()=>{});try{const result=await Promise.race([query,new Promise((resolve,reject)=>{
timeout=this.clock.setTimeout(()=>reject(new Error("LISTEN/NOTIFY heartbeat timed out")),heartbeatTimeout)})]);if(!result.
rows[0]?.listening){throw new Error("LISTEN/NOTIFY channel registration was lost")}}finally{if(timeout)this.clock.clearTimeout(
timeout)}scheduleHeartbeat(target)};const connect=async()=>{if(closed)return;const next2=new esm_default.Client({...this.
config,keepAlive:true,keepAliveInitialDelayMillis:keepAliveInitialDelay});next2.on("error",error=>{disconnect(next2,error)});
next2.on("end",()=>disconnect(next2,new Error("LISTEN/NOTIFY connection ended")));next2.on("notification",msg=>{if(msg.payload!==
void 0)onNotification(msg.payload)});client=next2;try{await next2.connect();await next2.query(`LISTEN "${channel}"`)}catch(err){
next2.removeAllListeners();await next2.end().catch(()=>{});if(client===next2)client=null;throw err}attempt=0;established=
true;scheduleHeartbeat(next2);onReconnect()};await connect();return{close:async()=>{closed=true;if(reconnectTimer){this.
clock.clearTimeout(reconnectTimer);reconnectTimer=null}clearHeartbeat();if(client){client.removeAllListeners();await client.
end().catch(()=>{});client=null}}}}async beginTransaction(){assert5(this.opened,"Database not opened. Call open() before\
 executing SQL.");const client=await this.pool.connect();let released=false;let connectionError=null;const onClientError=err=>{
connectionError??=err;release(err)};const release=err=>{if(released)return;released=true;client.removeListener("error",onClientError);
client.release(err)};const settledError=()=>connectionError??new Error("Transaction is already settled");client.on("erro\
r",onClientError);try{await client.query("BEGIN")}catch(err){release(err);throw err}return{db:{executeSql:(text,values)=>released?
Promise.reject(settledError()):client.query(text,values)},commit:async()=>{if(released)throw settledError();try{await client.
query("COMMIT")}catch(err){release(err);throw err}release()},rollback:async()=>{if(released)return;const rollback2=client.
query("ROLLBACK");const deadline=delay(TRANSACTION_ROLLBACK_TIMEOUT_MS,"ROLLBACK did not complete in time");try{await Promise.
race([rollback2,deadline]);release()}catch(err){release(err)}finally{deadline.abort()}}}}async withTransaction(fn2){const tx=await this.
beginTransaction();try{const result=await fn2(tx.db);await tx.commit();return result}catch(err){await tx.rollback();throw err}}};
var db_default=Db;var import_cron_parser2=__toESM(require_dist(),1);import assert7 from"node:assert";import EventEmitter2 from"node:events";var ClaimTimer=class{#clock;#ms;#fn;#handle;#due=0;#stopped=true;#anchored=false;constructor(clock,seconds,fn2){this.#clock=
clock;this.#ms=seconds*1e3;this.#fn=fn2}start(){if(!this.#stopped)return;this.#stopped=false;this.#arm()}stop(){this.#stopped=
true;this.#disarm()}anchor(ms2=this.#ms){if(this.#stopped)return;this.#anchored=true;this.#arm(ms2)}#arm(ms2=this.#ms){this.#disarm();
if(this.#stopped)return;this.#due=this.#clock.now()+ms2;this.#wait(ms2)}#wait(ms2){this.#handle=this.#clock.setTimeout(()=>{
const remaining=this.#due-this.#clock.now();if(remaining>0){this.#wait(remaining)}else{this.#run()}},ms2)}#disarm(){if(this.#handle!==
void 0){this.#clock.clearTimeout(this.#handle);this.#handle=void 0}}async#run(){this.#handle=void 0;this.#anchored=false;
try{await this.#fn()}finally{if(!this.#anchored)this.#arm()}}};import assert6 from"node:assert";var e=(e3,t2)=>`Non-positive ${e3}: ${t2}`;var t=(e3,t2)=>`Non-finite ${e3}: ${t2}`;var n=e3=>`Cannot convert bigint to ${e3}`;
var r=(e3,t2,n2,r2)=>i(e3,t2)+`; must be between ${n2}-${r2}`;var i=(e3,t2)=>`Invalid ${e3}: ${t2}`;function a(e3){return e3===
void 0?Object.create(null):f(e3)}function o(e3,r2=`number`){if(typeof e3==`bigint`)throw TypeError(n(r2));if(e3=Number(e3),
!Number.isFinite(e3))throw RangeError(t(r2,e3));return e3}function s(e3,t2){return Math.trunc(o(e3,t2))||0}function c(e3,t2){
return l(s(e3,t2),t2)}function l(t2,n2=`number`){if(t2<=0)throw RangeError(e(n2,t2));return t2}function u(e3,t2,n2){return Math.
min(Math.max(e3,t2),n2)}function d(e3){return e3!==null&&(typeof e3==`object`||typeof e3==`function`)}function f(e3){if(!d(
e3))throw TypeError(`Invalid object`);return e3}var p=i;var m=e3=>`Missing ${e3}`;var h=e3=>`No valid fields: `+e3.join();
var g=(e3,t2,n2)=>i(e3,t2)+`; must be `+Object.keys(n2).join();var _=e3=>`Missing year`+(e3?`/era/eraYear`:``);var v=`In\
valid leap month`;var ee=e3=>i(`Calendar`,e3);var te=e3=>i(`TimeZone`,e3);var ne=e3=>`Cannot parse: ${e3}`;var re=e3=>`I\
nvalid substring: ${e3}`;var ie=u;var y=d;function b(e3){throw RangeError(e3)}function x(e3){throw TypeError(e3)}function ae(e3,t2,n2,r2,i2){
return oe(t2,((e4,t3)=>{let n3=e4[t3];return n3===void 0&&x(m(t3)),n3})(e3,t2),n2,r2,i2)}function oe(e3,t2,n2,i2,a2,o2){
let s2=ie(t2,n2,i2);return a2&&t2!==s2&&b(((e4,t3,n3,i3,a3)=>a3?r(e4,a3[t3],a3[n3],a3[i3]):r(e4,t3,n3,i3))(e3,t2,n2,i2,o2)),
s2}function S(e3,t2=Map){let n2=new t2;return(t3,...r2)=>{if(n2.has(t3))return n2.get(t3);let i2=e3(t3,...r2);return n2.
set(t3,i2),i2}}var se=e3=>ce({name:e3},1);var ce=(e3,t2)=>ue(e4=>({value:e4,configurable:1,writable:!t2}),e3);var le=e3=>({
[Symbol.toStringTag]:{value:e3,configurable:1}});function ue(e3,t2){let n2={};for(let r2 in t2)n2[r2]=e3(t2[r2],r2);return n2}
function de(e3,t2){let n2={};for(let r2 of e3)n2[r2]=t2;return n2}function fe(e3){let t2={};for(let n2 of e3)t2[n2]=e4=>e4[n2];
return t2}function C(e3,t2,n2=Object.create(null)){for(let r2 of e3)n2[r2]=t2[r2];return n2}function pe(e3,t2,n2){for(let r2 of e3)
if(t2[r2]!==n2[r2])return 0;return 1}function me(e3,t2,n2){let r2={...n2};for(let n3=0;n3<t2;n3++)r2[e3[n3]]=0;return r2}
function w(e3,...t2){return(...n2)=>e3(...t2,...n2)}function he(){}function ge(e3){return e3[0].toUpperCase()+e3.substring(
1)}function T(...e3){return[].concat(...e3).sort()}function _e(e3){return RegExp(`^${e3}$`,`i`)}function ve(e3){return parseInt(
e3.padEnd(9,`0`))}function ye(e3){return e3&&e3!==`+`?-1:1}function be(e3){return e3===void 0?0:parseInt(e3)}function xe(e3,t2){
return String(t2).padStart(e3,`0`)}var Se=w(xe,2);function E(e3,t2){return Math.sign(e3-t2)}function D(e3,t2){return e3<
t2?-1:e3>t2?1:0}function Ce(e3,t2){let n2=e3/t2;return e3%t2<0n?n2-1n:n2}function we(e3,t2){let n2=Ce(e3,t2);return[n2,e3-
n2*t2]}function Te(e3,t2){return[Math.floor(e3/t2),Ee(e3,t2)]}function Ee(e3,t2){return(e3%t2+t2)%t2}function De(e3,t2){
return Math.trunc(e3/t2)||0}function Oe(e3,t2){return e3%t2||0}function ke(e3,t2=1){return t2*(.5+e3/5)}function Ae(e3){
return Math.abs(e3%1)===.5}var je={bce:-1,ce:0};function Me(e3){let t2=e3.normalize(`NFD`).toLowerCase().replace(/[^a-z0-9]/g,
``);return t2===`bc`||t2===`b`?`bce`:t2===`ad`||t2===`a`?`ce`:t2}function Ne(e3){return e3===void 0?`iso8601`:e3===0?`gr\
egory`:e3.id}var Pe=/^M(\d{2})(L?)$/;function Fe(e3){let t2=Pe.exec(e3);return t2||b((e4=>`Invalid monthCode: ${e4}`)(e3)),
[parseInt(t2[1]),!!t2[2]]}function Ie(e3,t2){return`M`+Se(e3)+(t2?`L`:``)}function Le(e3,t2,n2){return e3+(t2||n2&&e3>=n2?
1:0)}function Re(e3,t2){return e3-(t2&&e3>=t2?1:0)}var ze={nanosecond:0,microsecond:1,millisecond:2,second:3,minute:4,hour:5,
day:6,week:7,month:8,year:9};var Be=Object.keys(ze);var Ve=864e5;var He=1e3;var Ue=1e6;var We=1e9;var Ge=6e10;var Ke=36e11;
var qe=864e11;var Je=[1,He,Ue,We,Ge,Ke,qe];var Ye=BigInt(He);var Xe=BigInt(Ue);var Ze=BigInt(We);var Qe=BigInt(Ge);var $e=BigInt(
Ke);var O=BigInt(qe);function et(e3,t2){let n2=Number(e3/O),r2=Number(e3%O);return qe/t2*n2+(Math.trunc(r2/t2)+r2%t2/t2)}
var k=Be.slice(0,6);var tt=fe(k);var nt=[`year`];var rt=[`day`];var it=[`day`,`month`,`year`];var at=[`offset`];var ot=[
`timeZone`];var st=[`era`,`eraYear`];var ct=[`era`,`eraYear`,`year`];var lt=[`month`,`monthCode`];var ut=[`day`,`month`,
`monthCode`];var dt=T(k);var ft=T(st,nt);var pt=T(lt,nt);var mt=T(st,pt);var ht=T([`monthCode`],nt);var gt=T(st,ht);var _t=T(
rt,[`monthCode`]);var vt=T(rt,pt);var yt=T(rt,st,pt);var bt=T(vt,k);var xt=T(yt,k);var St=T(vt,k,at);var Ct=T(yt,k,at);var wt=T(
vt,k,at,ot);var Tt=T(yt,k,at,ot);var Et=T(rt,ht);var Dt=T(rt,st,ht);var Ot=de(k,0);function kt(e3){return jt(e3,1),e3}var At={
hour:23,minute:59,second:59};function jt(e3,t2){let n2={};for(let r2 of k)n2[r2]=oe(r2,e3[r2],0,At[r2]||999,t2);return n2}
function Mt(e3){return Pt(e3)*We+Ft(e3)}function Nt(e3){return 1e3*Pt(e3)+e3.millisecond}function Pt(e3){return 3600*e3.
hour+60*e3.minute+e3.second}function Ft(e3){return e3.millisecond*Ue+e3.microsecond*He+e3.nanosecond}function It(e3){let[
t2,n2]=Te(e3,qe);return[Lt(n2),t2]}function Lt(e3){let[t2,n2]=Te(e3,Ue),[r2,i2]=Te(n2,He);return Rt(t2,r2,i2)}function Rt(e3,t2=0,n2=0){
let[r2,i2]=Te(e3,36e5),[a2,o2]=Te(i2,6e4),[s2,c2]=Te(o2,1e3);return{hour:r2,minute:a2,second:s2,millisecond:c2,microsecond:t2,
nanosecond:n2}}function zt(e3){let[t2,n2]=we(e3,Ze);return[Number(t2),Number(n2)]}function Bt(e3){return Ht(e3)+BigInt(Mt(
e3))}function Vt(e3){return Ut(e3)+Nt(e3)}function Ht(e3){return BigInt(Wt(e3))*O}function Ut(e3){return 864e5*Wt(e3)}function Wt(e3){
return Gt(e3.year,e3.month,e3.day)}function Gt(e3,t2=1,n2=1){let r2=t2-1;return e3+=Math.floor(r2/12),t2=Ee(r2,12),Date.
UTC(e3%400-400,t2,0)/864e5+146097*(De(e3,400)+1)+n2}function Kt(e3){let[t2,n2]=we(e3,O);return{...Jt(Number(t2)),...Lt(Number(
n2))}}function qt(e3,t2=0,n2=0){let[r2,i2]=Te(e3,864e5);return{...Jt(r2),...Rt(i2,t2,n2)}}function Jt(e3){let t2=new Date(
864e5*Ee(e3,146097));return{year:t2.getUTCFullYear()+400*Math.floor(e3/146097),month:t2.getUTCMonth()+1,day:t2.getUTCDate()}}
function Yt(e3,t2){return Math.trunc((t2-e3)/864e5)}function Xt(e3){return[e3,0]}function Zt(e3,t2){if(!t2)return{year:1972,
month:e3}}function Qt(e3,t2,n2){return{year:e3,month:t2,day:n2}}function $t(e3,t2){switch(t2){case 2:return tn(e3)?29:28;case 4:case 6:case 9:case 11:
return 30}return 31}function en(e3){return tn(e3)?366:365}function tn(e3){return e3%4==0&&(e3%100!=0||e3%400==0)}function nn(e3,t2,n2){
return e3+=De(n2,12),(t2+=Oe(n2,12))<1?(e3--,t2+=12):t2>12&&(e3++,t2-=12),{year:e3,month:t2}}function rn(e3,t2,n2,r2){return 12*
(n2-e3)+r2-t2}function an(e3){return Ee(Gt(e3.year,e3.month,e3.day)+4,7)||7}function on(e3){return Gt(e3.year,e3.month,e3.
day)-Gt(e3.year)+1}function sn(e3){let t2=e3.year,n2=Math.floor((on(e3)-an(e3)+10)/7),r2=cn(t2);return n2<1?n2=r2=cn(--t2):
n2>r2&&(n2=1,r2=cn(++t2)),{weekOfYear:n2,yearOfWeek:t2,Ie:r2}}function cn(e3){let t2=an({year:e3,month:1,day:1});return t2===
4||t2===3&&tn(e3)?53:52}function ln({year:e3}){return e3<1?{era:`bce`,eraYear:1-e3}:{era:`ce`,eraYear:e3}}function un(e3){
return dn(e3),kt(e3)}function dn(e3){return pn(e3,1),e3}function fn(e3){return pe(it,e3,pn(e3))}function pn(e3,t2){let{year:n2}=e3,
r2=ae(e3,`month`,1,12,t2);return{year:n2,month:r2,day:ae(e3,`day`,1,$t(n2,r2),t2)}}function A(e3,t2){return e3?e3.ie(t2):
t2}function mn(e3,t2,n2){return e3?e3.O(t2,n2):Xt(n2)}function hn(e3,t2){return e3===0?ln(t2):e3?e3.h(t2):{}}function gn(e3,t2,n2,r2){
return e3?e3.je(t2,n2,r2):Qt(t2,n2,r2)}function _n(e3,t2){return e3?e3.k(t2):12}function vn(e3,t2,n2){return e3?e3.p(t2,
n2):$t(t2,n2)}function yn(e3,t2){let{year:n2,month:r2}=A(e3,t2),[i2,a2]=mn(e3,n2,r2);return Ie(i2,a2)}function bn(e3,t2){
let{year:n2}=A(e3,t2);return e3?e3.u(n2):tn(n2)}function xn(e3,t2){let{year:n2}=A(e3,t2);return _n(e3,n2)}function Sn(e3,t2){
let{year:n2,month:r2}=A(e3,t2);return vn(e3,n2,r2)}function Cn(e3,t2){let{year:n2}=A(e3,t2);return e3?e3.j(n2):en(n2)}function wn(e3,t2){
if(!e3)return on(t2);let{year:n2}=A(e3,t2),r2=gn(e3,n2,1,1);return Wt(t2)-Wt(r2)+1}function Tn(e3,t2){return e3===void 0?
sn(t2).weekOfYear:void 0}function En(e3,t2){return e3===void 0?sn(t2).yearOfWeek:void 0}var j=Be.map(e3=>e3+`s`);var Dn=fe(
j);var On=T(j);var kn=j.slice(0,6);var An=j.slice(6);var jn=An.slice(1);var Mn=j.reduce((e3,t2,n2)=>(e3[t2]=n2,e3),{});var M=de(
j,0);var Nn=de(kn,0);var Pn=w(me,j);function Fn(e3,t2){return t2??b(m(e3)),t2}var N=w(In,`string`);function In(e3,t2,n2=e3){
return typeof t2!==e3&&x(p(n2,t2)),t2}function Ln(e3,t2=`number`){return Number.isInteger(e3)||b(((e4,t3)=>`Non-integer ${e4}\
: ${t3}`)(t2,e3)),e3||0}function Rn(e3){return typeof e3==`symbol`&&x(`Cannot convert Symbol to string`),String(e3)}function zn(e3,t2){
return d(e3)?String(e3):N(e3,t2)}function Bn(e3){return typeof e3==`boolean`?BigInt(e3?1:0):typeof e3==`string`?BigInt(e3):
(typeof e3!=`bigint`&&x(`Invalid bigint: ${e3}`),e3)}function Vn(e3,t2){return Ln(o(e3,t2),t2)}function Hn(e3,t2){return typeof e3==
`string`?((e4,t3)=>{let n2=Object.create(null);return n2[e4]=t3,n2})(t2,e3):f(e3)}var Un=`smallestUnit`;var Wn={constrain:0,
reject:1};var Gn={compatible:0,reject:1,earlier:2,later:3};var Kn={reject:0,use:1,prefer:2,ignore:3};var qn={auto:0,never:1,
critical:2,always:3};var Jn={auto:0,never:1,critical:2};var Yn={auto:0,never:1};var Xn={floor:0,halfFloor:1,ceil:2,halfCeil:3,
trunc:4,halfTrunc:5,expand:6,halfExpand:7,halfEven:8};var Zn=[Math.floor,e3=>Ae(e3)?Math.floor(e3):Math.round(e3),Math.ceil,
e3=>Ae(e3)?Math.ceil(e3):Math.round(e3),Math.trunc,e3=>Ae(e3)?Math.trunc(e3)||0:Math.round(e3),e3=>e3<0?Math.floor(e3):Math.
ceil(e3),e3=>Math.sign(e3)*Math.round(Math.abs(e3))||0,e3=>Ae(e3)?(e3=Math.trunc(e3)||0)+e3%2:Math.round(e3)];var Qn={previous:-1,
next:1};function $n(e3){let t2=e3.roundingIncrement;return t2===void 0?1:s(t2,`roundingIncrement`)}function er(e3){let t2=e3.
fractionalSecondDigits;if(t2!==void 0){if(typeof t2!=`number`){if(Rn(t2)===`auto`)return;b(p(`fractionalSecondDigits`,t2))}
t2=oe(`fractionalSecondDigits`,Math.floor(t2),0,9,1)}return t2}function tr(e3,t2,n2=0,r2){let i2=t2[e3];if(i2===void 0)return r2?
n2:void 0;if(i2=Rn(i2),i2===`auto`)return r2?n2:null;let a2=ze[i2];return a2===void 0&&(a2=Mn[i2]),a2===void 0&&b(g(e3,i2,
ze)),a2}function nr(e3,t2,n2,r2=0){let i2=n2[e3];if(i2===void 0)return r2;let a2=Rn(i2),o2=t2[a2];return o2===void 0&&b(
g(e3,a2,t2)),o2}var rr=w(tr,Un);var ir=w(tr,`largestUnit`);var ar=w(tr,`unit`);var or=w(nr,`overflow`,Wn);var sr=w(nr,`d\
isambiguation`,Gn);var cr=w(nr,`offset`,Kn);var lr=w(nr,`calendarName`,qn);var ur=w(nr,`timeZoneName`,Jn);var dr=w(nr,`o\
ffset`,Yn);var fr=w(nr,`roundingMode`,Xn);var pr=w(nr,`direction`,Qn);function mr(e3,t2,n2,r2){let i2=r2?qe:Je[t2+1];if(i2){
let n3=Je[t2];i2%((e3=oe(`roundingIncrement`,e3,1,i2/n3-(r2?0:1),1))*n3)&&b(p(`roundingIncrement`,e3))}else e3=oe(`round\
ingIncrement`,e3,1,n2?10**9:1,1);return e3}function hr(e3,t2,n2,r2){return t2!=null&&oe(e3,t2,n2,r2,1,Be),t2}function gr(e3,t2){
t2>e3&&b(`smallestUnit > largestUnit`)}function _r(e3,t2,n2,r2=9,i2=0,o2=4){t2=a(t2);let s2=ir(t2,i2),c2=$n(t2),l2=fr(t2,
o2),u2=rr(t2,i2,1);return s2=hr(`largestUnit`,s2,i2,r2),u2=hr(Un,u2,i2,r2),s2==null?s2=Math.max(n2,u2):gr(s2,u2),c2=mr(c2,
u2,1),e3&&(l2=(e4=>e4<4?(e4+2)%4:e4)(l2)),[s2,u2,c2,l2]}function vr(e3,t2=6,n2){let r2=$n(e3=Hn(e3,Un)),i2=fr(e3,7),a2=rr(
e3);return a2=Fn(Un,a2),a2=hr(Un,a2,0,t2),r2=mr(r2,a2,void 0,n2),[a2,r2,i2]}function P(e3,t2){return C(it,e3,C(k,t2))}function F(e3){
return e3===void 0?0:or(f(e3))}function yr(e3,t2=0){e3=a(e3);let n2=sr(e3),r2=cr(e3,t2);return[or(e3),r2,n2]}var br=BigInt(
1e8)*O;var xr=BigInt(-1e8)*O;var Sr=xr-O;var Cr=-3261848;function wr(e3){let t2=12*e3.year+e3.month;return(t2<Cr||t2>3309129)&&
b(`Out-of-bounds date`),e3}function Tr(e3,t2=1){return Dr(Ht(e3),t2),e3}function Er(e3){let t2=Ht(e3);return Dr(t2),t2!==
Sr||Mt(e3)||b(`Out-of-bounds date`),e3}function Dr(e3,t2=1){(e3<(t2?Sr:xr)||e3>br)&&b(`Out-of-bounds date`)}function Or(e3){
return(e3<xr||e3>br)&&b(`Out-of-bounds date`),e3}function kr(e3,t2){return Or(Ht(e3)+BigInt(Mt(e3)-t2))}function Ar(e3){
return{epochNanoseconds:e3}}function jr(e3,t2,n2){return{calendar:n2,timeZone:t2,epochNanoseconds:e3}}function Mr(e3,t2){
return C(k,e3,I(e3,t2))}function I(e3,t2){return C(it,e3,{calendar:t2})}function Nr(e3){return C(k,e3)}function L(e3){return C(
j,e3,{sign:ta(e3)})}function Pr(e3){return t2=e3.epochNanoseconds,Number(Ce(t2,Xe));var t2}function Fr(e3){return e3.epochNanoseconds}
function Ir(e3,t2,n2){let r2=ua(t2),[i2,a2]=((e4,t3)=>{let n3=t3((e4=Hn(e4,`unit`)).relativeTo),r3=ar(e4);return r3=Fn(`\
unit`,r3),[r3,n3]})(n2,e3);if(!a2&&qi(Math.max(i2,r2),a2))return Rr(t2,i2);if(a2||b(`Missing relativeTo`),!t2.sign&&qi(i2,
a2))return 0;let o2=Vi(a2),s2=o2.G(o2.i,t2);Wi(o2,s2);let c2=o2.re(o2.i,s2,i2);return qi(i2,a2)?Rr(c2,i2):Lr(c2,o2.V(s2),
i2,o2)}function Lr(e3,t2,n2,r2){let i2=ta(e3)||1,a2=zr(Pn(n2,e3),n2,i2,r2,t2),o2=a2.ae,s2=a2.de,c2=Number(s2-o2),l2=Number(
t2-o2);return a2.ye[j[n2]]+l2/c2*i2}function Rr(e3,t2){return et(ia(e3),Je[t2])}function zr(e3,t2,n2,r2,i2){let a2=j[t2],
o2=e3,s2=0,c2=Br(o2,a2,n2,r2);return i2&&!((e4,t3,n3,r3)=>r3>0?D(t3,e4)<=0&&D(e4,n3)<=0:D(n3,e4)<=0&&D(e4,t3)<=0)(i2,c2.
ae,c2.de,Math.sign(n2))&&(o2={...e3,[a2]:e3[a2]+n2},s2=1,c2=Br(o2,a2,n2,r2)),{...c2,ye:o2,He:s2}}function Br(e3,t2,n2,r2){
let i2={...e3,[t2]:e3[t2]+n2};return{ae:Hi(r2,e3),de:Hi(r2,i2),Ae:i2}}function Vr(e3,t2,n2){let r2=n2-t2,i2=e3-t2;if(!i2)
return 0;let a2=i2<0n?-i2:i2,o2=r2<0n?-r2:r2,s2=D(i2,0n)===D(r2,0n)?1:-1;return D(a2,o2)<=0?a2===o2?s2:ke(D(2n*a2,o2),s2):
Number(i2)/Number(r2)}function Hr(e3,t2,n2,r2){let{epochNanoseconds:i2}=e3,{timeZone:a2,calendar:o2}=e3;if(t2===0&&n2===
1)return{epochNanoseconds:i2,timeZone:a2,calendar:o2};if(t2===6){let t3=P(R(e3),Ot),n3=P(vi(t3,1),Ot),o3=ui(a2,t3),s2=ui(
a2,n3);i2=ni(Vr(i2,o3,s2),r2)?s2:o3}else{let o3=R(e3),s2=o3.offsetNanoseconds;i2=ci(a2,Gr(o3,Jr(t2,n2),r2),s2,2,0,1)}return{
epochNanoseconds:i2,timeZone:a2,calendar:o2}}function Ur(e3){let{timeZone:t2}=e3,n2=P(R(e3),Ot),r2=P(vi(n2,1),Ot),i2=ui(
t2,n2);return et(ui(t2,r2)-i2,Ke)}function Wr(e3){let{timeZone:t2,calendar:n2}=e3;return jr(ui(t2,P(R(e3),Ot)),t2,n2)}function Gr(e3,t2,n2){
let[r2,i2]=Kr(e3,t2,n2),a2=P(vi(e3,i2),r2);return Er(a2),a2}function Kr(e3,t2,n2){return It(ti(Mt(e3),t2,n2))}function qr(e3){
return ti(e3,Ge,7)}function Jr(e3,t2){return Je[e3]*t2}function Yr(e3,t2){return BigInt(Je[e3])*BigInt(t2)}function Xr(e3,t2,n2){
let r2=Math.min(ua(e3),6);return sa(Qr(ia(e3),BigInt(t2),n2),r2)}function Zr(e3,t2,n2,r2,i2,a2,o2){if(r2===0&&i2===1)return e3;
let s2=ta(e3)||1,[c2,l2,u2]=(qi(r2,o2.i)?Ui(o2.i)&&r2<6&&n2>=6?ii:ri:ai)(s2,e3,t2,n2,r2,i2,a2,o2);return u2&&r2!==7&&(c2=
((e4,t3,n3,r3,i3,a3)=>{for(let o3=r3+1;o3<=n3;o3++){if(o3===7&&n3!==7)continue;let r4=Pn(o3,e4);r4[j[o3]]+=i3;let s3=D(t3,
Hi(a3,r4));if(s3&&s3!==i3)break;e4=r4}return e4})(c2,l2,n2,Math.max(6,r2),s2,o2)),c2}function Qr(e3,t2,n2){return ei(e3,
t2,n2,e3/t2%2n)}function $r(e3,t2,n2){let[r2,i2]=we(e3,O),a2=r2*O;return a2+ei(i2,t2,n2,(a2/t2+i2/t2)%2n)}function ei(e3,t2,n2,r2){
let i2=e3/t2,a2=e3%t2,o2=0;a2&&(o2=ke(D(2n*(a2<0n?-a2:a2),t2),Math.sign(Number(a2))));let s2=ni(Number(r2)+o2,n2);return(i2-
r2+BigInt(s2))*t2}function ti(e3,t2,n2){return ni(e3/t2,n2)*t2}function ni(e3,t2){return Zn[t2](e3)}function ri(e3,t2,n2,r2,i2,a2,o2){
let s2=ia(t2),c2=Qr(s2,Yr(i2,a2),o2),l2=c2-s2,u2=Math.sign(Number(c2/O)-Number(s2/O))===e3,d2=sa(c2,Math.min(r2,6));return[
{...t2,...d2},n2+l2,u2]}function ii(e3,t2,n2,r2,i2,a2,o2,s2){let c2=Number(aa(t2)),l2=Jr(i2,a2),u2=ti(c2,l2,o2),d2=zr({...t2,
...Nn},6,e3,s2,n2),f2=d2.ae,p2=d2.de,m2=u2-Number(p2-f2),h2=0;m2&&Math.sign(m2)!==e3?n2=f2+BigInt(u2):(h2+=e3,u2=ti(m2,l2,
o2),n2=p2+BigInt(u2));let g2=ca(u2);return[{...t2,...g2,days:t2.days+h2},n2,!!h2]}function ai(e3,t2,n2,r2,i2,a2,o2,s2){let c2=j[i2],
l2=Pn(i2,t2);i2===7&&(t2={...t2,weeks:t2.weeks+Math.trunc(t2.days/7)}),l2[c2]=De(t2[c2],a2)*a2;let u2=zr(l2,i2,a2*e3,s2,
n2),d2=u2.ae,f2=u2.de,p2=Vr(n2,d2,f2),m2=u2.ye[c2],h2=u2.Ae[c2],g2=ti(m2+p2*e3*a2,a2,o2),_2=g2===h2;return l2[c2]=g2,[l2,
_2?f2:d2,u2.He||_2]}function oi(e3,t2){return e3.timeZone.U(e3.epochNanoseconds,(e4=>{let t3=pr(Hn(e4,`direction`),0);return t3||
b(p(`direction`,t3)),t3})(t2))}var R=S(si,WeakMap);function si(e3){let{epochNanoseconds:t2,timeZone:n2}=e3,r2=n2.C(t2);return{
...Kt(t2+BigInt(r2)),offsetNanoseconds:r2}}function ci(e3,t2,n2,r2=0,i2=0,a2,o2){if(n2!==void 0&&r2===1&&(r2===1||o2))return kr(
t2,n2);r2!==2&&r2!==0||Tr(t2,0);let s2=e3.R(t2);if(n2!==void 0&&r2!==3){let e4=((e5,t3,n3,r3)=>{let i3=Bt(t3);r3&&(n3=qr(
n3));for(let t4 of e5){let e6=Number(i3-t4);if(r3&&(e6=qr(e6)),e6===n3)return t4}})(s2,t2,n2,a2);if(e4!==void 0)return e4;
r2===0&&b(`Invalid TimeZone offset`)}return o2?Bt(t2):li(e3,t2,i2,s2)}function li(e3,t2,n2=0,r2=e3.R(t2)){if(r2.length===
1)return r2[0];if(n2===1&&b(`Ambiguous offset`),r2.length)return r2[n2===3?1:0];let i2=Bt(t2),a2=((e4,t3)=>{let n3=e4.C(
t3-O);return(e5=>(e5>864e11&&b(`Out-of-bounds TimeZone gap`),e5))(e4.C(t3+O)-n3)})(e3,i2),o2=Kt(i2+BigInt(a2*(n2===2?-1:
1)));return(r2=e3.R(o2))[n2===2?0:r2.length-1]}function ui(e3,t2){let n2=e3.R(t2);if(n2.length)return n2[0];let r2=Bt(t2)-
O;return e3.U(r2,1)}function di(e3,t2,n2,r2,i2){let a2=F(i2);return r2.sign&&ua(r2)<8&&b(`Cannot use small units`),gi(t2,
yi(t2,Tr(gi(t2,n2)),e3?z(r2):r2,a2))}function fi(e3,t2){return Or(e3+(la(n2=t2)&&b(`Cannot use large units`),aa(n2)));var n2}
function pi(e3,t2,n2){let{calendar:r2,epochNanoseconds:i2,timeZone:a2}=e3,o2=aa(t2),s2=i2;if(la(t2)){let i3=R(e3);s2=li(
a2,P(hi(r2,i3,{...t2,...Nn},n2),i3))+o2}else s2+=o2,F(n2);return{...e3,epochNanoseconds:Or(s2)}}function mi(e3,t2,n2,r2){
let[i2,a2]=_i(t2,n2),o2=P(hi(e3,t2,{...n2,...Nn,days:n2.days+a2},r2),i2);return Er(o2),o2}function hi(e3,t2,n2,r2){if(n2.
years||n2.months||n2.weeks)return yi(e3,t2,n2,F(r2));F(r2);let i2=n2.days+Number(aa(n2)/O);return i2?Tr(vi(t2,i2)):t2}function gi(e3,t2){
return vi(t2,1-A(e3,t2).day)}function _i(e3,t2){let n2=aa(t2),r2=Number(n2/O),i2=Number(n2%O),[a2,o2]=It(Mt(e3)+i2);return[
a2,r2+o2]}function vi(e3,t2){return t2?Jt(Wt(e3)+t2):e3}function yi(e3,t2,n2,r2){let{years:i2,months:a2,weeks:o2,days:s2}=n2,
c2;if(s2+=Number(aa(n2)/O),i2||a2)c2=bi(e3,t2,i2,a2,r2);else{if(!o2&&!s2)return t2;c2=t2}return(o2||s2)&&(c2=vi(c2,7*o2+
s2)),Tr(c2)}function bi(e3,t2,n2,r2,i2){let{year:a2,month:o2,day:s2}=A(e3,t2);if(n2){let[t3,r3]=mn(e3,a2,o2);a2+=n2,o2=xi(
e3,t3,r3,e3?e3.q(a2):void 0,i2),o2=oe(`month`,o2,1,_n(e3,a2),i2)}if(r2){let t3=e3?e3.N(a2,o2,r2):nn(a2,o2,r2);({year:a2,
month:o2}=t3)}return s2=oe(`day`,s2,1,vn(e3,a2,o2),i2),gn(e3,a2,o2,s2)}function xi(e3,t2,n2,r2,i2){if(n2){let n3=e3?e3.m:
void 0;return r2!==void 0&&(n3<0||r2===t2+1)?r2:(i2===1&&b(v),n3<0?-n3:t2)}return Le(t2,0,r2)}function Si(e3,t2){return Ne(
e3)!==Ne(t2)&&b(`Mismatching Calendars`),e3}function Ci(e3,t2){return e3.o!==t2.o&&b(`Mismatching TimeZones`),e3}function wi(e3){
return e3.timeZone.id}function Ti(e3,t2,n2,r2){let[i2,a2,o2,s2]=_r(e3,r2,3,5),c2=Ri(t2.epochNanoseconds,n2.epochNanoseconds,
i2,a2,o2,s2);return L(e3?z(c2):c2)}function Ei(e3,t2,n2,r2,i2){let[a2,o2,s2,c2]=_r(e3,i2,5),l2=n2.epochNanoseconds,u2=r2.
epochNanoseconds,d2;return D(u2,l2)?a2<6?d2=Ri(l2,u2,a2,o2,s2,c2):(d2=Mi(Ci(n2.timeZone,r2.timeZone),t2,n2,r2,a2),d2=Zr(
d2,u2,a2,o2,s2,c2,Bi(n2,Fr,pi))):d2=M,L(e3?z(d2):d2)}function Di(e3,t2,n2,r2,i2){let[a2,o2,s2,c2]=_r(e3,i2,6),l2=Bt(n2),
u2=Bt(r2),d2=D(u2,l2),f2;return d2?a2<=6?f2=Ri(l2,u2,a2,o2,s2,c2):(f2=Pi(t2,n2,r2,d2,a2),f2=Zr(f2,u2,a2,o2,s2,c2,Bi(n2,Bt,
w(mi,t2)))):f2=M,L(e3?z(f2):f2)}function Oi(e3,t2,n2,r2,i2){let[a2,o2,s2,c2]=_r(e3,i2,6,9,6);return Ai(e3,t2,n2,r2,a2,o2,
s2,c2)}function ki(e3,t2,n2,r2,i2){let[a2,o2,s2,c2]=_r(e3,i2,9,9,8),l2=gi(t2,n2),u2=gi(t2,r2);return Ii(l2,u2)?Ai(e3,t2,
Tr(l2),Tr(u2),a2,o2,s2,c2,8):L(M)}function Ai(e3,t2,n2,r2,i2,a2,o2,s2,c2=6){let l2=Ht(n2),u2=Ht(r2),d2;return D(u2,l2)?i2===
6?d2=Ri(l2,u2,i2,a2,o2,s2):(d2=Fi(t2,n2,r2,i2),a2===c2&&o2===1||(d2=Zr(d2,u2,i2,a2,o2,s2,Bi(n2,Ht,w(hi,t2))))):d2=M,L(e3?
z(d2):d2)}function ji(e3,t2,n2,r2){let[i2,a2,o2,s2]=_r(e3,r2,5,5),c2=ti(Mt(n2)-Mt(t2),Jr(a2,o2),s2),l2={...M,...ca(c2,i2)};
return L(e3?z(l2):l2)}function Mi(e3,t2,n2,r2,i2){let a2=D(r2.epochNanoseconds,n2.epochNanoseconds);if(!a2)return M;if(i2<
6)return{...M,...sa(r2.epochNanoseconds-n2.epochNanoseconds,i2)};if(!Ii(R(n2),R(r2)))return{...M,...sa(r2.epochNanoseconds-
n2.epochNanoseconds,5)};let[o2,s2,c2]=Li(e3,n2,r2,a2);return{...i2===6?{...M,days:zi(o2,s2)}:Fi(t2,o2,s2,i2),...ca(c2)}}
function Ni(e3,t2,n2,r2){let i2=Bt(t2),a2=Bt(n2),o2=D(a2,i2);return o2?r2<=6?{...M,...sa(a2-i2,r2)}:Pi(e3,t2,n2,o2,r2):M}
function Pi(e3,t2,n2,r2,i2){let a2=n2,o2=Mt(n2)-Mt(t2);return Math.sign(o2)===-r2&&(a2=vi(n2,-r2),o2+=864e11*r2),{...Fi(
e3,t2,a2,i2),...ca(o2)}}function Fi(e3,t2,n2,r2){if(r2<=7){let e4=zi(t2,n2);return r2===7?{...M,weeks:De(e4,7),days:Oe(e4,
7)}:{...M,days:e4}}let i2=A(e3,t2),a2=A(e3,n2);if(r2===8){let{year:r3,month:o3,day:s3}=i2,{year:c3,month:l3,day:u3}=a2,d3=Math.
sign(E(c3,r3)||E(l3,o3)||zi(t2,n2)),f3=0,p3=0;if(d3){f3=e3?e3.ne(r3,o3,c3,l3):rn(r3,o3,c3,l3);let i3=bi(e3,t2,0,f3,0);d3*
E(s3,u3)>0&&(f3-=d3,i3=bi(e3,t2,0,f3,0)),p3=zi(i3,n2)}return{...M,months:f3,days:p3}}let{year:o2,month:s2,day:c2}=i2,{year:l2,
month:u2,day:d2}=a2,f2=l2-o2,p2=u2-s2,m2=d2-c2;if(f2||p2){let t3=Math.sign(f2||p2),n3=vn(e3,l2,u2),r3=0;if(Math.sign(d2-
c2)===-t3){let i3=n3,a3=e3?e3.N(l2,u2,-t3):nn(l2,u2,-t3);({year:l2,month:u2}=a3),f2=l2-o2,p2=u2-s2,n3=vn(e3,l2,u2),r3=t3<
0?-i3:n3}if(m2=d2-Math.min(c2,n3)+r3,f2){let[n4,r4]=mn(e3,o2,s2),[i3,a3]=mn(e3,l2,u2),c3=e3?e3.m:void 0;if(p2=c3!==void 0&&
r4&&!a3&&(c3<0?t3>0&&i3===-c3:t3<0&&i3===n4)?0:i3-n4||Number(a3)-Number(r4),Math.sign(p2)===-t3){let i4=t3<0&&-_n(e3,l2);
l2-=t3,f2=l2-o2,p2=u2-xi(e3,n4,r4,e3?e3.q(l2):void 0,0)+(i4||_n(e3,l2))}else if(e3){let t4=xi(e3,n4,r4,e3.q(l2),0);p2=e3.
ne(l2,t4,l2,u2)}}}return{...M,years:f2,months:p2,days:m2}}function Ii(e3,t2){return E(e3.year,t2.year)||E(e3.month,t2.month)||
E(e3.day,t2.day)}function Li(e3,t2,n2,r2){let i2=R(t2),a2=R(n2),o2=n2.epochNanoseconds,s2=0,c2=Mt(a2)-Mt(i2);Math.sign(c2)===
-r2&&s2++;let l2=s2+(r2>0?1:0);for(;s2<=l2;s2++){let t3=vi(a2,s2*-r2),n3=li(e3,P(t3,i2));if(D(o2,n3)!==-r2)return[i2,t3,
Number(o2-n3)]}}function Ri(e3,t2,n2,r2,i2,a2){return{...M,...sa(Qr(t2-e3,Yr(r2,i2),a2),n2)}}function zi(e3,t2){return Wt(
t2)-Wt(e3)}function Bi(e3,t2,n2){return{i:e3,V:t2,G:n2}}function Vi(e3){let{calendar:t2}=e3;if(Ui(e3)){let{timeZone:n2}=e3;
return{i:e3,V:Fr,G:pi,re:w(Mi,n2,t2)}}return{i:Gi(e3),V:Bt,G:w(mi,t2),re:w(Ni,t2)}}function Hi(e3,t2){return e3.V(e3.G(e3.
i,t2))}function Ui(e3){return`timeZone`in e3}function Wi(e3,t2){Ui(e3.i)||(Ki(e3.i),Ki(t2))}function Gi(e3){return P(e3,
`hour`in e3?e3:Ot)}function Ki(e3){Er(Gi(e3))}function qi(e3,t2){return e3<=6-(t2&&Ui(t2)?1:0)}function Ji(e3,t2,n2){let r2={};
for(let i2=t2;i2>=0;i2--){let t3=Je[i2];r2[n2[i2]]=De(e3,t3),e3=Oe(e3,t3)}return r2}var Yi=2**53;function Xi(e3,t2,n2,r2,i2){
let o2=e3(a(i2).relativeTo),s2=Math.max(ua(n2),ua(r2));if(qi(s2,o2))return Zi(t2,n2,r2,s2);o2||b(`Missing relativeTo`),t2&&
(r2=z(r2));let c2=Vi(o2),l2=c2.G(c2.i,n2),u2=c2.G(l2,r2);return L(c2.re(c2.i,u2,s2))}function Zi(e3,t2,n2,r2){return L(na(
((e4,t3,n3,r3)=>{let i2=ia(e4)+ia(t3)*BigInt(r3?-1:1);return Number.isFinite(Number(i2/O))||b(`Out-of-bounds date`),{...M,
...sa(i2,n3)}})(t2,n2,r2,e3)))}function Qi(e3,t2,n2){let r2=ua(t2),[i2,a2,o2,s2,c2]=((e4,t3,n3)=>{e4=Hn(e4,Un);let r3=ir(
e4),i3=n3(e4.relativeTo),a3=$n(e4),o3=fr(e4,7),s3=rr(e4);return r3===void 0&&s3===void 0&&b(`Required smallestUnit or la\
rgestUnit`),s3??=0,r3??=Math.max(s3,t3),gr(r3,s3),a3=mr(a3,s3,1),a3>1&&s3>5&&r3!==s3&&b(`For calendar units with roundin\
gIncrement > 1, use largestUnit = smallestUnit`),[r3,s3,a3,o3,i3]})(n2,r2,e3);if(!c2&&Math.max(r2,i2)<=6)return L(na(((e4,t3,n3,r3,i3)=>{
let a3=Qr(ia(e4),Yr(n3,r3),i3);return{...M,...sa(a3,t3)}})(t2,i2,a2,o2,s2)));let l2=c2&&Ui(c2)&&i2>=6&&a2<6;if(!t2.sign&&
!l2)return t2;c2||b(`Missing relativeTo`);let u2=Vi(c2),d2=u2.G(u2.i,t2);Wi(u2,d2);let f2=u2.re(u2.i,d2,i2);return f2=Zr(
f2,u2.V(d2),i2,a2,o2,s2,u2),L(f2)}function $i(e3){return e3.sign===-1?ea(e3):e3}function ea(e3){return L(z(e3))}function z(e3){
let t2={};for(let n2 of j)t2[n2]=-1*e3[n2]||0;return t2}function ta(e3,t2=j){let n2=0;for(let r2 of t2){let t3=Math.sign(
e3[r2]);t3&&(n2&&n2!==t3&&b(`Cannot mix duration signs`),n2=t3)}return n2}function na(e3){for(let t3 of jn)oe(t3,e3[t3],
-4294967295,4294967295,1);let t2=ia(e3);return ra(Number(t2/Ze)),e3}function ra(e3){Number.isSafeInteger(e3)||b(`Out-of-\
bounds duration`)}function ia(e3){return BigInt(e3.days)*O+aa(e3)}function aa(e3){return BigInt(e3.hours)*$e+BigInt(e3.minutes)*
Qe+oa(e3)}function oa(e3){return BigInt(e3.seconds)*Ze+BigInt(e3.milliseconds)*Xe+BigInt(e3.microseconds)*Ye+BigInt(e3.nanoseconds)}
function sa(e3,t2=6){let n2=Number(e3/O),r2=Number(e3%O),i2=Je[t2],a2=t2<=3?Number(e3/BigInt(i2)):qe/i2*n2+De(r2,i2);Number.
isFinite(a2)||b(`Out-of-bounds date`),t2<=3&&Math.abs(a2)/(We/Je[t2])>=Yi&&b(`Out-of-bounds date`);let o2=Ji(r2,t2,j);return o2[j[t2]]=
a2,o2}function ca(e3,t2=5){return Ji(e3,t2,j)}function la(e3){return!!ta(e3,An)}function ua(e3){let t2=9;for(;t2>0&&!e3[j[t2]];t2--)
;return t2}function da(e3,t2){return D(e3.epochNanoseconds,t2.epochNanoseconds)}function fa(e3,t2){return D(e3.epochNanoseconds,
t2.epochNanoseconds)}function pa(e3,t2,n2,r2){let i2=e3(a(r2).relativeTo),o2=Math.max(ua(t2),ua(n2));if(pe(j,t2,n2))return 0;
if(qi(o2,i2))return D(ia(t2),ia(n2));i2||b(`Missing relativeTo`);let s2=Vi(i2);return D(Hi(s2,t2),Hi(s2,n2))}function ma(e3,t2){
return ha(e3,t2)||ga(e3,t2)}function ha(e3,t2){return E(Wt(e3),Wt(t2))}function ga(e3,t2){return E(Mt(e3),Mt(t2))}function _a(e3,t2){
return!da(e3,t2)}function va(e3,t2){return!fa(e3,t2)&&e3.timeZone.o===t2.timeZone.o&&e3.calendar===t2.calendar}function ya(e3,t2){
return!ma(e3,t2)&&e3.calendar===t2.calendar}function ba(e3,t2){return!ha(e3,t2)&&e3.calendar===t2.calendar}function xa(e3,t2){
return!ha(e3,t2)&&e3.calendar===t2.calendar}function Sa(e3,t2){return!ha(e3,t2)&&e3.calendar===t2.calendar}function Ca(e3,t2){
return!ga(e3,t2)}function wa(e3){return e3===0?je:e3?e3.l:void 0}function B(e3,t2,n2=t2){return wa(e3)?n2:t2}function Ta(e3,t2){
let n2=e3||void 0,r2=wa(e3),{era:i2,eraYear:a2,year:o2}=t2;if(o2!==void 0&&(o2=s(o2,`year`)),a2!==void 0&&(a2=s(a2,`eraY\
ear`)),i2!==void 0||a2!==void 0){i2!==void 0&&a2!==void 0||x(`Mismatching era/eraYear`),r2||b(`Forbidden era/eraYear`);let e4=Me(
i2),t3=r2[e4];t3===void 0&&b((e5=>`Invalid era: ${e5}`)(i2));let s2=n2?.te?n2.te(a2,e4,t3):Oa(a2,t3);o2!==void 0&&o2!==s2&&
b(`Mismatching year/eraYear`),o2=s2}else o2===void 0&&x(_(r2));return o2}function Ea(e3,t2,n2,r2,i2){let{month:a2,monthCode:o2}=t2;
if(o2!==void 0){let t3=((e4,t4,n3,r3,i3=Fe(t4))=>{let a3=e4?e4.q(n3):void 0,[o3,s2]=i3,c2=Le(o3,s2,a3);if(s2){let t5=e4?
e4.m:void 0;t5===void 0&&b(v),t5>0?(c2>t5&&b(v),a3!==c2&&(r3===1&&b(v),c2=Le(o3,0,a3))):(c2!==-t5&&b(v),a3===void 0&&r3===
1&&b(v))}return c2})(e3,o2,n2,r2,i2);a2!==void 0&&a2!==t3&&b(`Mismatching month/monthCode`),a2=t3,r2=1}else a2===void 0&&
x(`Missing month/monthCode`);return oe(`month`,a2,1,_n(e3,n2),r2)}function Da(e3,t2,n2,r2,i2){return ae(t2,`day`,1,vn(e3,
r2,n2),i2)}function Oa(e3,t2){return(t2+e3)*(Math.sign(t2)||1)||0}function ka(e3,t2){return jt(C(k,{...Ot,...e3}),t2)}var Aa=_e(
`([+-])(\\d{2})(?::?(\\d{2})(?::?(\\d{2})(?:[.,](\\d{1,9}))?)?)?`);function ja(e3){let t2=Ma(e3);return t2===void 0&&b(ne(
e3)),t2}function Ma(e3,t2){let n2=Aa.exec(e3);if(n2&&(e4=>(e5=>{e5[0]!==`T`&&e5[0]!==`t`||(e5=e5.slice(1));let t3=e5.search(
/[.,]/),n3=t3<0?e5:e5.slice(0,t3),r2=n3.split(`:`);return r2.length===1?/^(?:\d{2}|\d{4}|\d{6})$/i.test(n3):(r2.length===
2||r2.length===3)&&r2.every(e6=>e6.length===2&&/^\d{2}$/i.test(e6))})(e4.slice(1)))(n2[0]))return((e4,t3)=>{let n3=e4[4]||
e4[5];return t3&&n3&&b(re(n3)),r2=(be(e4[2])*Ke+be(e4[3])*Ge+be(e4[4])*We+ve(e4[5]||``))*ye(e4[1]),Math.abs(r2)>=864e11&&
b(`Out-of-bounds offset`),r2;var r2})(n2,t2)}var Na={era:zn,month:c,monthCode(e3,t2=`monthCode`){return((e4,t3)=>{if(typeof e4==
`string`)return e4;if(e4&&typeof e4==`object`){let n2=e4.toString;if(typeof n2==`function`)return N(n2.call(e4),t3)}return N(
e4,t3)})(e3,t2)},day:c};var Pa=de(k,s);var Fa=de(j,Vn);var Ia={offset(e3){return ja(zn(e3))}};var La=Object.assign({},Na,
Pa);var Ra=Object.assign({},La,Ia);function V(e3,t2,n2,r2,i2=!r2){let a2={},o2=0;for(let i3 of t2){let t3=e3[i3];if(t3!==
void 0){o2=1;let e4=n2[i3];e4&&(t3=e4(t3,i3)),a2[i3]=t3}else r2&&r2.includes(i3)&&x(m(i3))}return i2&&!o2&&x(h(t2)),a2}function za(e3,t2=Ot,n2){
let r2=P(e3,t2);return Er(r2),Mr(r2,n2)}function Ba(e3,t2,n2){return Ha(e3,t2,Wa(e3,t2),F(n2))}function Va(e3,t2,n2){let r2=Wa(
e3,t2),i2=n2();return[Ha(e3,t2,r2,i2[0]),...i2]}function Ha(e3,t2,n2,r2){let i2=n2[1],a2=Ea(e3,t2,i2,r2,n2[0]);return I(
Tr(gn(e3,i2,a2,Da(e3,t2,a2,i2,r2))),e3)}function Ua(e3){if(e3.monthCode!==void 0)return Fe(e3.monthCode)}function Wa(e3,t2){
let n2=wa(e3);return t2.year!==void 0||t2.era!==void 0&&t2.eraYear!==void 0||x(_(n2)),t2.monthCode===void 0&&t2.month===
void 0&&x(`Missing month/monthCode`),t2.day===void 0&&x(m(`day`)),[Ua(t2),Ta(e3,t2)]}function Ga(e3,t2,n2){let r2=wa(e3);
t2.year!==void 0||t2.era!==void 0&&t2.eraYear!==void 0||x(_(r2)),t2.monthCode===void 0&&t2.month===void 0&&x(`Missing mo\
nth/monthCode`);let i2=Ua(t2),a2=Ta(e3,t2);return I(wr(gn(e3,a2,Ea(e3,t2,a2,F(n2),i2),1)),e3)}function Ka(e3,t2,n2){let r2=e3===
void 0,i2=wa(e3);t2.day===void 0&&x(m(`day`)),r2||t2.month===void 0||t2.year!==void 0||t2.era!==void 0&&t2.eraYear!==void 0||
x(_(i2));let a2=Ua(t2),o2=t2.eraYear!==void 0||t2.year!==void 0?Ta(e3,t2):void 0,s2=F(n2),c2,l2,u2;if(o2===void 0&&r2&&(o2=
1972),o2!==void 0){r2||Tr(gn(e3,o2,1,1));let n3=Ea(e3,t2,o2,s2,a2);c2=Da(e3,t2,n3,o2,s2),[l2,u2]=mn(e3,o2,n3)}else{t2.monthCode===
void 0&&x(`Missing month/monthCode`),[l2,u2]=a2;let n3=e3?e3.ge:1972;if(n3!==void 0)c2=Da(e3,t2,Ea(e3,t2,n3,s2,a2),n3,s2);else{
let n4=s2===0&&e3?e3.ke?.(l2,u2,t2.day):void 0;c2=n4===void 0?t2.day:n4}}u2&&((e3&&e3.Z?.[l2])??1/0)<t2.day&&(s2===1&&b(
v),u2=0,c2=ie(t2.day,1,(e3&&e3.X)??1/0));let d2=e3?e3.v(l2,!!u2,c2):Zt(l2,!!u2);for(;!d2&&s2===0&&c2>1;)c2--,d2=e3?e3.v(
l2,!!u2,c2):Zt(l2,!!u2);d2||b(`Cannot guess year`);let{year:f2,month:p2}=d2;return I(Tr(gn(e3,f2,p2,c2)),e3)}var qa=Intl.
DateTimeFormat;function Ja(e3,t2){t2<-864e13&&b(`Out-of-bounds date`);let n2=e3.formatToParts(t2),r2={};for(let e4 of n2)
r2[e4.type]=e4.value;return r2}var Ya={El_Aaiun:17,Tucuman:12,Tirane:11,Riga:10,Simferopol:9,Vienna:9,Tunis:8,Boa_Vista:6,
Fortaleza:6,Maceio:6,Noronha:6,Recife:6,Gaza:6,Hebron:6,DeNoronha:6};var Xa=-388152e4;function Za(e3,t2=4){let n2=er(e3);
return[fr(e3,4),...eo(hr(Un,rr(e3),0,t2),n2)]}function Qa(e3){return lr(a(e3))}function $a(e3,t2){return Za(a(e3),t2)}function eo(e3,t2){
return e3==null?[t2===void 0?1:10**(9-t2),t2]:[Je[e3],e3<4?9-3*e3:-1]}function to(e3,t2,n2){let[r2,i2,o2,s2]=(e4=>{let t3=er(
e4=a(e4)),n3=fr(e4,4),r3=rr(e4);return[e4.timeZone,n3,...eo(hr(Un,r3,0,4),t3)]})(n2),c2=r2!==void 0;return((e4,t3,n3,r3,i3,a2)=>{
n3=$r(n3,BigInt(i3),r3);let o3=t3.C(n3);return mo(Kt(n3+BigInt(o3)),a2)+(e4?yo(qr(o3)):`Z`)})(c2,H(c2?e3(r2):`UTC`),t2.epochNanoseconds,
i2,o2,s2)}function no(e3,t2){let n2=(e4=>{e4=a(e4);let t3=lr(e4),n3=er(e4),r2=dr(e4),i2=fr(e4,4),o2=rr(e4);return[t3,ur(
e4),r2,i2,...eo(hr(Un,o2,0,4),n3)]})(t2);return((e4,t3,n3,r2,i2,a2,o2,s2,c2,l2)=>{r2=$r(r2,BigInt(c2),s2);let u2=n3.C(r2);
return mo(Kt(r2+BigInt(u2)),l2)+yo(qr(u2),o2)+bo(t3,a2)+xo(e4,i2)})(e3.calendar,e3.timeZone.id,e3.timeZone,e3.epochNanoseconds,
...n2)}function ro(e3,t2){let n2=(e4=>(e4=a(e4),[lr(e4),...Za(e4)]))(t2);return((e4,t3,n3,r2,i2,a2)=>mo(Gr(t3,i2,r2),a2)+
xo(e4,n3))(e3.calendar,e3,...n2)}function io(e3,t2){return n2=e3.calendar,r2=e3,i2=Qa(t2),ho(r2)+xo(n2,i2);var n2,r2,i2}
function ao(e3,t2){return so(e3.calendar,go,e3,Qa(t2))}function oo(e3,t2){return so(e3.calendar,_o,e3,Qa(t2))}function so(e3,t2,n2,r2){
return r2===1?e3===void 0?t2(n2):ho(n2):r2>1||r2===0&&e3!==void 0?ho(n2)+So(Ne(e3),r2===2):t2(n2)}function co(e3,t2){return((e4,t3,n2,r2)=>vo(
Kr(e4,n2,t3)[0],r2))(e3,...$a(t2))}function lo(e3,t2){let[n2,r2,i2]=$a(t2,3);return r2>1&&na(e3={...e3,...Xr(e3,r2,n2)}),
uo(e3,i2)}function uo(e3,t2){let{sign:n2}=e3,r2=n2===-1?z(e3):e3,{hours:i2,minutes:a2}=r2,o2=oa(r2),s2=Number(o2/Ze),c2=Number(
o2%Ze);ra(s2);let l2=wo(c2,t2),u2=t2>=0||!n2||l2;return(n2<0?`-`:``)+`P`+fo({Y:po(r2.years),M:po(r2.months),W:po(r2.weeks),
D:po(r2.days)})+(i2||a2||s2||u2?`T`+fo({H:po(i2),M:po(a2),S:po(s2,u2)+l2}):``)}function fo(e3){let t2=[];for(let n2 in e3){
let r2=e3[n2];r2&&t2.push(r2,n2)}return t2.join(``)}function po(e3,t2){if(!e3&&!t2)return``;let n2=Object.create(null);return n2.
useGrouping=0,e3.toLocaleString(`fullwide`,n2)}function mo(e3,t2){return ho(e3)+`T`+vo(e3,t2)}function ho(e3){return go(
e3)+`-`+Se(e3.day)}function go(e3){let{year:t2}=e3;return(t2<0||t2>9999?To(t2)+xe(6,Math.abs(t2)):xe(4,t2))+`-`+Se(e3.month)}
function _o(e3){return Se(e3.month)+`-`+Se(e3.day)}function vo(e3,t2){let n2=[Se(e3.hour),Se(e3.minute)];return t2!==-1&&
n2.push(Se(e3.second)+((e4,t3,n3,r2)=>wo(e4*Ue+t3*He+n3,r2))(e3.millisecond,e3.microsecond,e3.nanosecond,t2)),n2.join(`:`)}
function yo(e3,t2=0){if(t2===1)return``;let[n2,r2]=Te(Math.abs(e3),Ke),[i2,a2]=Te(r2,Ge),[o2,s2]=Te(a2,We);return To(e3)+
Se(n2)+`:`+Se(i2)+(o2||s2?`:`+Se(o2)+wo(s2):``)}function bo(e3,t2){return t2===1?``:`[`+(t2===2?`!`:``)+e3+`]`}function xo(e3,t2){
return t2>1||t2===0&&e3!==void 0?So(Ne(e3),t2===2):``}function So(e3,t2){return`[`+(t2?`!`:``)+`u-ca=`+e3+`]`}var Co=/0+$/;
function wo(e3,t2){let n2=xe(9,e3);return n2=t2===void 0?n2.replace(Co,``):n2.slice(0,t2),n2?`.`+n2:``}function To(e3){return e3<
0?`-`:`+`}var Eo=/^(AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T$/;var Do=/[^\w\/:+-]+/;
function Oo(e3){return ko(N(e3))}function ko(e3){return Ao(e3).id}function Ao(e3){let t2=e3.toUpperCase(),n2=(e4=>{let t3=Ma(
e4,1);if(t3!==void 0)return{id:yo(t3),_:t3,o:t3}})(t2);return n2?{kind:`fixed`,...n2}:jo(t2===`UTC`?`UTC`:(e4=>(Do.test(
e4)&&b(te(e4)),Eo.test(e4)&&b(`Forbidden ICU TimeZone`),e4.toLowerCase().split(`/`).map((e5,t3)=>(e5.length<=3||/\d/.test(
e5))&&!/etc|yap/.test(e5)?e5.toUpperCase():e5.replace(/baja|dumont|[a-z]+/g,(e6,n3)=>e6.length<=2&&!t3||e6===`in`||e6===
`chat`?e6.toUpperCase():e6.length>2||!n3?ge(e6).replace(/island|noronha|murdo|rivadavia|urville/,ge):e6)).join(`/`)))(e3))}
var jo=S(e3=>{if(e3===`UTC`)return{kind:`utc`,id:e3,o:e3};let t2=Mo(e3.toUpperCase());return{kind:`named`,id:e3,format:t2,
o:t2.resolvedOptions().timeZone}});var Mo=S(e3=>new qa(`en-u-hc-h23`,{calendar:`iso8601`,timeZone:e3,era:`short`,year:`n\
umeric`,month:`numeric`,day:`numeric`,hour:`numeric`,minute:`numeric`,second:`numeric`}));function H(e3){let t2=Ao(e3);return No(
t2.id,t2)}var No=S((e3,t2)=>t2.kind===`named`?new Fo(e3,t2.o,t2.format):new Po(e3,t2.o,t2.kind===`fixed`?t2._:0));var Po=class{constructor(e3,t2,n2){
this.id=e3,this.o=t2,this._=n2}C(){return this._}R(e3){return[kr(e3,this._)]}U(){}};var Fo=class{constructor(e3,t2,n2){this.
id=e3,this.o=t2,this.qe=((e4,t3)=>{let n3=S(e4),r2=S(Lo),i2=86400*t3;function a2(e5){let[t4,a3]=Ro(e5,i2),s2=zo(t4),c2=zo(
a3),l2=n3(s2),u2=n3(c2);return l2===u2?l2:o2(r2(s2,c2),l2,u2,e5)}function o2(t4,n4,r3,i3){let a3,o3;for(;(i3===void 0||(a3=
i3<t4[0]?n4:i3>=t4[1]?r3:void 0)===void 0)&&(o3=t4[1]-t4[0]);){let n5=t4[0]+Math.floor(o3/2);e4(n5)===r3?t4[1]=n5:t4[0]=
n5+1}return a3}return{Ee(e5){let t4=a2(e5-86400),n4=a2(e5+86400),r3=e5-t4,i3=e5-n4;if(t4===n4)return[r3];let o3=a2(r3);return o3===
a2(i3)?[e5-o3]:t4>n4?[r3,i3]:[]},De:a2,U:function e5(t4,a3){if(a3>0&&t4>=864e10)return;if(a3<0){if(t4<=Xa)return;let n4=Io()+
94867200;if(t4>n4)return e5(n4,-1)}let[s2,c2]=Ro(a3>0?Math.max(t4,Xa):t4,i2),l2=i2*a3,u2=a3>0?Math.max(t4,Io())+94867200:
Xa,d2=()=>a3<0?c2>u2:s2<u2;for(;d2();){let e6=zo(s2),i3=zo(c2),u3=n3(e6),d3=n3(i3);if(u3!==d3){let n4=r2(e6,i3);o2(n4,u3,
d3);let s3=n4[0];if((E(s3,t4)||1)===a3)return s3}s2+=l2,c2+=l2}}}})((e4=>t3=>{let n3=Ja(e4,1e3*t3);return 86400*Gt((e5=>{
let t4=e5.relatedYear;if(t4!==void 0)return parseInt(t4);let n4=parseInt(e5.year);return e5.era!==void 0&&Me(e5.era)===`\
bce`?1-n4:n4})(n3),parseInt(n3.month),parseInt(n3.day))+3600*parseInt(n3.hour)+60*parseInt(n3.minute)+parseInt(n3.second)-
t3})(n2),(e4=>Ya[e4.split(`/`).pop()]||60)(e3))}C(e3){return this.qe.De((e4=>zt(e4)[0])(e3))*We}R(e3){let t2=86400*Wt(e3)+
Pt(e3),n2=Ft(e3);return this.qe.Ee(t2).map(e4=>Or(BigInt(e4)*Ze+BigInt(n2)))}U(e3,t2){let[n2,r2]=zt(e3),i2=this.qe.U(n2+
(t2>0||r2?1:0),t2);if(i2!==void 0)return BigInt(i2)*Ze}};function Io(){return Math.floor(Date.now()/1e3)}function Lo(e3,t2){
return[e3,t2]}function Ro(e3,t2){let n2=Math.floor(e3/t2)*t2;return[n2,n2+t2]}function zo(e3){return ie(e3,-1e10,864e10)}
function Bo(e3,t2,n2){let r2=V(n2,B(t2,wt,Tt),Ra,[],0);if(r2.timeZone!==void 0){let n3=Ba(t2,r2),i2=ka(r2),a2=H(e3(r2.timeZone));
return{epochNanoseconds:ci(a2,P(n3,i2),r2.offset),timeZone:a2,calendar:t2}}return Ba(t2,r2)}function Vo(e3,t2,n2,r2){let i2=V(
n2,B(t2,wt,Tt),Ra,ot,0),a2=e3(i2.timeZone),[o2,s2,c2,l2]=Va(t2,i2,()=>yr(r2)),u2=ka(i2,s2),d2=H(a2);return jr(ci(d2,P(o2,
u2),i2.offset,c2,l2),d2,t2)}function Ho(e3,t2,n2){let r2=V(t2,B(e3,bt,xt),La,[],0),[i2,a2]=Va(e3,r2,()=>[F(n2)]);return za(
i2,ka(r2,a2),e3)}function Uo(e3,t2,n2,r2=[]){return Ba(e3,V(t2,B(e3,vt,yt),Na,r2),n2)}function Wo(e3,t2,n2,r2){return Ga(
e3,V(t2,B(e3,pt,mt),Na,r2),n2)}function Go(e3,t2,n2,r2){let i2=V(n2,B(e3,vt,yt),Na,rt,0);return t2&&i2.month!==void 0&&i2.
monthCode===void 0&&i2.year===void 0&&(i2.year=1972),Ka(e3,i2,r2)}function Ko(e3,t2){return ka(V(e3,dt,Pa,[],1),F(t2))}function qo(e3){
let t2=V(e3,On,Fa);return L(na({...M,...t2}))}function Jo(e3){b(ne(e3))}function Yo(e3){let t2=Cs(e3=zn(e3)),n2;return t2||
Jo(e3),t2.F?n2=0:t2.offset?n2=ja(t2.offset):Jo(e3),t2.timeZoneId&&Ma(t2.timeZoneId,1),un(t2),Ar(kr(t2,n2))}function Xo(e3,t2){
let n2=Cs(N(e3));return n2||Jo(e3),n2.timeZoneId?ds(n2,t2,void 0):(n2.F&&Jo(e3),ps(n2,t2))}function Zo(e3,t2,n2){let r2=Cs(
N(e3));return r2&&r2.timeZoneId||Jo(e3),ds(r2,t2,n2)}function Qo(e3,t2){let n2=Cs(N(e3));return n2&&!n2.F||Jo(e3),fs(n2,
t2)}function $o(e3,t2){let n2=cs(ss(N(e3)),void 0,t2);return I(n2,n2.calendar)}function es(e3,t2){let n2=ws(N(e3));if(n2)
return ts(n2),I(wr(dn(n2)),t2(n2.calendarId));let r2=cs(ss(e3),ls,t2),{calendar:i2}=r2;return I(gi(i2,r2),i2)}function ts(e3){
e3.calendarId!==`iso8601`&&b(re(e3.calendarId))}function ns(e3,t2){let n2=Ts(N(e3));if(n2)return ts(n2),I(dn(n2),t2(n2.calendarId));
let r2=cs(ss(e3),us,t2),{calendar:i2}=r2,{year:a2,month:o2,day:s2}=A(i2,r2),[c2,l2]=mn(i2,a2,o2),{year:u2,month:d2}=((e4,t3,n3,r3)=>{
let i3=e4?e4.v(t3,n3,r3):Zt(t3,n3);return i3||b(`Cannot guess year`),i3})(i2,c2,l2,s2);return I(Tr(gn(i2,u2,d2,s2)),i2)}
function rs(e3){let t2=(e4=>{let t3=Es(e4);return t3?(ks(t3[13]),Ds(t3,1)):void 0})(e3=N(e3)),n2;return t2||(t2=Cs(e3),t2?
(t2.fe||Jo(e3),t2.F&&b(re(`Z`)),ts(t2)):Jo(e3)),(n2=ws(e3))&&fn(n2)&&Jo(e3),(n2=Ts(e3))&&fn(n2)&&Jo(e3),Nr(kt(t2))}function is(e3){
let t2=(e4=>{let t3=Ss.exec(e4);return t3?(e5=>{let t4=0,n2=0,r2=0,i2={years:a2(e5[2]),months:a2(e5[3]),weeks:a2(e5[4]),
days:a2(e5[5]),hours:a2(e5[6],e5[7],5),minutes:a2(e5[8],e5[9],4),seconds:a2(e5[10],e5[11],3),...Ji(r2,2,j)};return t4||b(
h(j)),ye(e5[1])<0&&(i2=z(i2)),i2;function a2(e6,i3,a3){let o2=0,s2=0;return a3&&([o2,r2]=Te(r2,Je[a3])),e6!==void 0&&(n2&&
b(re(e6)),s2=(e7=>{let t5=parseInt(e7);return Number.isFinite(t5)||b(re(e7)),t5})(e6),t4=1,i3&&(r2=ve(i3)*(Je[a3]/We),n2=
1)),o2+s2}})(t3):void 0})(N(e3));return t2||Jo(e3),L(na(t2))}function as(e3){let t2=Cs(e3)||ws(e3)||Ts(e3);if(t2)return t2.
calendarId;let n2=Es(e3);return n2?ks(n2[13]).calendarId:e3}function os(e3){let t2=Cs(e3);return t2&&(t2.timeZoneId||t2.
F&&`UTC`||t2.offset)||e3}function ss(e3){let t2=Cs(e3);return t2&&!t2.F||Jo(e3),t2}function cs(e3,t2,n2){return t2&&e3.calendarId===
`iso8601`?(dn(e3),e3.fe&&kt(e3),ps(t2(e3),n2)):e3.fe?fs(e3,n2):ps(e3,n2)}function ls(e3){let t2=12*e3.year+e3.month===Cr?
20:1;return{...e3,day:t2}}function us(e3){return{...e3,year:1972}}function ds(e3,t2,n2){let r2=H(ko(e3.timeZoneId)),i2;if(un(
e3),e3.fe){let t3=e3.offset?ja(e3.offset):void 0,[,o2,s2]=yr(n2);i2=ci(r2,e3,t3,o2,s2,!(r2._||e3.offset===void 0||(a2=e3.
offset,a2.replace(/\D/g,``).length>4)),e3.F)}else yr(n2),i2=ui(r2,e3);var a2;return Or(i2),jr(i2,r2,t2(e3.calendarId))}function fs(e3,t2){
return un(e3),Er(e3),{...P(e3,e3),calendar:t2(e3.calendarId)}}function ps(e3,t2){return dn(e3),Tr(e3),{calendar:t2(e3.calendarId),
year:e3.year,month:e3.month,day:e3.day}}function ms(e3){return`(\\d{2})(?:(:?)(\\d{2})(?:\\${e3}(\\d{2})(?:[.,](\\d{1,9}))\
?)?)?`}function hs(e3){return`([+-])`+ms(e3)}var gs=`(?:(?:([+-])(\\d{6}))|(\\d{4}))(-?)(\\d{2})\\4(\\d{2})(?:[T ]`+ms(8)+
`(Z|`+hs(15)+`)?)?`;var _s=_e(`(?:(?:([+-])(\\d{6}))|(\\d{4}))-?(\\d{2})((?:\\[(!?)([^\\]]*)\\]){0,9})`);var vs=_e(`(?:-\
-)?(\\d{2})-?(\\d{2})((?:\\[(!?)([^\\]]*)\\]){0,9})`);var ys=_e(gs+`((?:\\[(!?)([^\\]]*)\\]){0,9})`);var bs=_e(`T?`+ms(2)+
`(${hs(9)})?((?:\\[(!?)([^\\]]*)\\]){0,9})`);var xs=RegExp(`\\[(!?)([^\\]]*)\\]`,`g`);var Ss=_e(`([+-])?P(\\d+Y)?(\\d+M)?(\
\\d+W)?(\\d+D)?(?:T(?:(\\d+)(?:[.,](\\d{1,9}))?H)?(?:(\\d+)(?:[.,](\\d{1,9}))?M)?(?:(\\d+)(?:[.,](\\d{1,9}))?S)?)?`);function Cs(e3){
let t2=ys.exec(e3);return t2?(e4=>{let t3=e4[12],n2=(t3||``).toUpperCase()===`Z`;return{year:Os(e4),month:parseInt(e4[5]),
day:parseInt(e4[6]),...Ds(e4,7),...ks(e4[19]),fe:!!e4[7],F:n2,offset:n2?void 0:t3}})(t2):void 0}function ws(e3){let t2=_s.
exec(e3);if(t2)return(e4=>({year:Os(e4),month:parseInt(e4[4]),day:1,...ks(e4[5])}))(t2)}function Ts(e3){let t2=vs.exec(e3);
return t2?(e4=>({year:1972,month:parseInt(e4[1]),day:parseInt(e4[2]),...ks(e4[3])}))(t2):void 0}function Es(e3){let t2=bs.
exec(e3);if(t2)return t2[6]&&ja(t2[6]),t2}function Ds(e3,t2){let n2=be(e3[t2+3]);return{...It(ve(e3[t2+4]||``))[0],hour:be(
e3[t2]),minute:be(e3[t2+2]),second:n2===60?59:n2}}function Os(e3){let t2=ye(e3[1]),n2=parseInt(e3[2]||e3[3]);return t2<0&&
!n2&&b(re(-0)),t2*n2}function ks(e3){let t2,n2,r2=[];return e3.replace(xs,(e4,i2,a2)=>{let o2=!!i2,[s2,c2]=a2.split(`=`).
reverse();return c2?c2===`u-ca`?(r2.push(s2.toLowerCase()),t2||=o2):(o2||/[A-Z]/.test(c2))&&b(re(e4)):(n2&&b(re(e4)),n2=
s2),``}),r2.length>1&&t2&&b(re(e3)),{timeZoneId:n2,calendarId:r2[0]||`iso8601`}}function As(e3,t2,n2){let r2=Object.assign(
Object.create(null),t2);return js(r2,n2,lt),wa(e3)&&(js(r2,n2,ct),e3&&e3.le&&js(r2,n2,ut,st)),r2}function js(e3,t2,n2,r2){
let i2=0,a2=[];for(let e4 of n2)t2[e4]===void 0?a2.push(e4):i2=1;if(Object.assign(e3,t2),i2)for(let t3 of r2||a2)delete e3[t3]}
function Ms(e3,t2,n2){let{calendar:r2,timeZone:i2}=e3,a2=B(r2,St,Ct),o2=R(e3),{year:s2,month:c2,day:l2}=A(r2,o2),u2={year:s2,
monthCode:zs(r2,s2,c2),day:l2,hour:o2.hour,minute:o2.minute,second:o2.second,millisecond:o2.millisecond,microsecond:o2.microsecond,
nanosecond:o2.nanosecond,offset:o2.offsetNanoseconds},d2=V(t2,a2,Ra),f2=As(r2,u2,d2),p2={...u2,...d2},[m2,h2,g2,_2]=Va(r2,
f2,()=>yr(n2,2));return jr(ci(i2,P(m2,jt(p2,h2)),p2.offset,g2,_2),i2,r2)}function Ns(e3,t2,n2){let{calendar:r2}=e3,i2=B(
r2,bt,xt),{year:a2,month:o2,day:s2}=A(r2,e3),c2={year:a2,monthCode:zs(r2,a2,o2),day:s2,hour:e3.hour,minute:e3.minute,second:e3.
second,millisecond:e3.millisecond,microsecond:e3.microsecond,nanosecond:e3.nanosecond},l2=V(t2,i2,La),u2=As(r2,c2,l2),d2={
...c2,...l2},[f2,p2]=Va(r2,u2,()=>[F(n2)]);return za(f2,jt(d2,p2),r2)}function Ps(e3,t2,n2){let{calendar:r2}=e3,i2=B(r2,
vt,yt),{year:a2,month:o2,day:s2}=A(r2,e3);return Ba(r2,As(r2,{year:a2,monthCode:zs(r2,a2,o2),day:s2},V(t2,i2,Na)),n2)}function Fs(e3,t2,n2){
let{calendar:r2}=e3,i2=B(r2,pt,mt),{year:a2,month:o2}=A(r2,e3);return Ga(r2,As(r2,{year:a2,monthCode:zs(r2,a2,o2)},V(t2,
i2,Na)),n2)}function Is(e3,t2,n2){let{calendar:r2}=e3,i2=B(r2,vt,yt),{year:a2,month:o2,day:s2}=A(r2,e3);return Ka(r2,As(
r2,{monthCode:zs(r2,a2,o2),day:s2},V(t2,i2,Na)),n2)}function Ls(e3,t2,n2){return((e4,t3,n3)=>ka({...C(dt,e4),...V(t3,dt,
Pa)},F(n3)))(e3,t2,n2)}function Rs(e3,t2){return L((n2=e3,r2=t2,na({...n2,...V(r2,On,Fa)})));var n2,r2}function zs(e3,t2,n2){
let[r2,i2]=mn(e3,t2,n2);return Ie(r2,i2)}function Bs(e3,t2,n2){return jr(e3.epochNanoseconds,t2,n2)}function Vs(e3){return Ar(
e3.epochNanoseconds)}function Hs(e3){return Mr(R(e3),e3.calendar)}function Us(e3){return I(R(e3),e3.calendar)}function Ws(e3){
return Nr(R(e3))}function Gs(e3,t2,n2){return jr(Or(((e4,t3,n3)=>li(e4,t3,(e5=>sr(a(e5)))(n3)))(t2,e3,n2)),t2,e3.calendar)}
function Ks(e3,t2,n2,r2){let i2=e3(r2.timeZone),a2=r2.plainTime,o2=a2===void 0?void 0:t2(a2),s2=H(i2),c2;return c2=o2?li(
s2,P(n2,o2)):ui(s2,P(n2,Ot)),jr(c2,s2,n2.calendar)}function qs(e3,t2,n2){return Zs(e3,C(B(e3,ht,gt),t2),V(f(n2),rt,Na,[]))}
function Js(e3,t2,n2){let r2=B(e3,nt,ft);return Zs(e3,C(_t,t2),V(f(n2),r2,Na,[]))}function Ys(e3,t2){return Ka(e3,V(t2,_t,
Na))}function Xs(e3,t2,n2){return Ga(e3,V(t2,B(e3,ht,gt),Na),n2)}function Zs(e3,t2,n2){let r2=B(e3,Et,Dt),i2=As(e3,t2,n2);
return i2=V(i2,r2,Na,[]),Ba(e3,i2)}function Qs(e3){return Ar(Or(BigInt(Vn(e3))*Xe))}function $s(e3){return Ar(Or(Bn(e3)))}
function ec(e3){return e3.timeZone=`UTC`,[`full`,`long`].includes(e3.timeStyle)&&(e3.timeStyle=`medium`),e3}function tc(e3,t2){
return e3.timeZone!==void 0&&x(`Cannot specify TimeZone`),e3.timeZone=t2,e3}function nc(e3,t2,n2){let r2=e3.resolvedOptions().
calendar;!n2&&t2.calendar===void 0||Ne(t2.calendar)===r2||b(`Mismatching Calendars`)}function rc(e3,t2,n2,r2,i2){let a2=new Set(
e3),o2=new Set(t2),s2=new Set(n2);return(e4,t3)=>{let n3=((e5,t4,n4,r3)=>{let i3={dateStyle:void 0,timeStyle:void 0,me:{},
pe:{},xe:{},oe:0,ue:0};for(let a3 of Object.keys(e5)){let o3=e5[a3];o3===void 0||r3.has(a3)||(t4.has(a3)?a3===`dateStyle`?
i3.dateStyle=o3:a3===`timeStyle`?i3.timeStyle=o3:i3.me[a3]=o3:a3===`era`?i3.pe[a3]=o3:n4.has(a3)?a3===`dateStyle`||a3===
`timeStyle`?i3.ue=1:i3.oe=1:i3.xe[a3]=o3)}return i3})(e4,a2,o2,s2),c2=n3.dateStyle!==void 0,l2=n3.timeStyle!==void 0,u2=c2||
l2,d2=Object.keys(n3.me).length>0,f2=n3.oe||n3.ue,p2=d2||c2||l2,m2=Object.keys(n3.pe).length>0,h2=d2||m2||n3.oe;(!t3&&f2||
t3&&f2&&!p2||u2&&h2)&&x(`Invalid formatting options`);let g2={};return u2||p2||Object.assign(g2,r2),Object.assign(g2,n3.
me,n3.pe,n3.xe),c2&&(i2?Object.assign(g2,i2[n3.dateStyle]):g2.dateStyle=n3.dateStyle),l2&&(g2.timeStyle=n3.timeStyle),g2}}
var ic={year:`numeric`,month:`numeric`,day:`numeric`};var ac={hour:`numeric`,minute:`numeric`,second:`numeric`};var oc=Object.
assign({},ic,ac);var sc=Object.assign({},oc,{timeZoneName:`short`});var cc={year:`numeric`,month:`numeric`};var lc={month:`\
numeric`,day:`numeric`};var uc=[`weekday`,`year`,`month`,`day`,`dateStyle`];var dc=[`dayPeriod`,`hour`,`minute`,`second`,
`fractionalSecondDigits`,`timeStyle`];var fc=uc.concat(dc);var pc=[`weekday`,`day`].concat(dc);var mc=[`weekday`,`year`].
concat(dc);var hc=rc(fc,[],[],oc);var gc=rc(fc,[],[],sc);var _c=rc(fc,[],[`timeZoneName`],oc);var vc=rc(uc,dc,[`timeZone\
Name`],ic);var yc=rc(dc,uc,[`timeZoneName`,`era`],ac);var bc=rc([`year`,`month`,`dateStyle`],pc,[`timeZoneName`],cc,{full:{
year:`numeric`,month:`long`},long:{year:`numeric`,month:`long`},medium:{year:`numeric`,month:`short`},short:{year:`2-dig\
it`,month:`numeric`}});var xc=rc([`month`,`day`,`dateStyle`],mc,[`timeZoneName`,`era`],lc,{full:{month:`long`,day:`numer\
ic`},long:{month:`long`,day:`numeric`},medium:{month:`short`,day:`numeric`},short:{month:`numeric`,day:`numeric`}});function Sc(e3,t2){
let{timeZone:n2}=e3,r2=R(e3),{offsetNanoseconds:i2}=r2,a2=t2||Ot,o2;return o2=t2?ci(n2,P(r2,a2),i2,2):ui(n2,P(r2,a2)),jr(
o2,n2,e3.calendar)}function Cc(e3){let t2=wc(),n2=e3.C(t2);return Kt(t2+BigInt(n2))}function wc(){return BigInt(Date.now())*
Xe}function Tc(){return new qa().resolvedOptions().timeZone}var Ec=`PlainYearMonth`;var Dc=`PlainMonthDay`;var Oc=`Plain\
Date`;var kc=`PlainDateTime`;var Ac=`PlainTime`;var jc=`ZonedDateTime`;var Mc=`Instant`;var Nc=`Duration`;function Pc(e3,t2,n2,...r2){
Object.defineProperties(t2,se(e3)),Object.defineProperties(t2.prototype,le(`Temporal.`+e3));for(let e4 of r2)Fc(t2.prototype,
n2,e4);return t2}function Fc(e3,t2,n2){Object.defineProperties(e3,ue(e4=>({get(){return e4(t2(this))},configurable:1}),n2))}
var Ic=he.name===`noop`?e3=>{Object.defineProperty(e3,`_str_`,{value:e3.toJSON()})}:he;function Lc(){x(`Invalid calling \
context`)}function Rc(){x(`Cannot use valueOf`)}var zc={era(e3){return hn(e3.calendar,e3).era},eraYear(e3){return hn(e3.
calendar,e3).eraYear},year(e3){return A(e3.calendar,e3).year},month(e3){return A(e3.calendar,e3).month},monthCode(e3){return yn(
e3.calendar,e3)}};var Bc={era(e3){return hn(e3.calendar,e3).era},eraYear(e3){return hn(e3.calendar,e3).eraYear},year(e3){
return A(e3.calendar,e3).year},month(e3){return A(e3.calendar,e3).month},monthCode(e3){return yn(e3.calendar,e3)},day(e3){
return A(e3.calendar,e3).day}};var Vc={monthCode(e3){return yn(e3.calendar,e3)},day(e3){return A(e3.calendar,e3).day}};var Hc={
daysInMonth(e3){return Sn(e3.calendar,e3)},daysInYear(e3){return Cn(e3.calendar,e3)},monthsInYear(e3){return xn(e3.calendar,
e3)},inLeapYear(e3){return bn(e3.calendar,e3)}};var Uc={dayOfWeek(e3){return an(e3)},dayOfYear(e3){return wn(e3.calendar,
e3)},weekOfYear(e3){return Tn(e3.calendar,e3)},yearOfWeek(e3){return En(e3.calendar,e3)},daysInWeek(){return 7},daysInMonth(e3){
return Sn(e3.calendar,e3)},daysInYear(e3){return Cn(e3.calendar,e3)},monthsInYear(e3){return xn(e3.calendar,e3)},inLeapYear(e3){
return bn(e3.calendar,e3)}};function Wc(e3){return fe(Object.keys(e3))}Wc(Hc),Wc(Uc);function Gc(e3){let t2=e3.ve||0;function n2(e4){
return e4-t2}function r2(e4){return e4+t2}return{l:e3.l,ge:1972+t2,le:e3.le,ie(e4){return{...e4,year:r2(e4.year)}},je(e4,t3,r3){
return Qt(n2(e4),t3,r3)},se(e4,t3,r3){return Gt(n2(e4),t3,r3)*Ve},O(e4,t3){return Xt(t3)},v(e4,t3){let n3=Zt(e4,t3);return n3&&
{year:r2(n3.year),month:n3.month}},u(e4){return tn(n2(e4))},k(){return 12},p(e4,t3){return $t(n2(e4),t3)},j(e4){return en(
n2(e4))},q(){},h(t3){return e3.h?.(t3,r2(t3.year))||{}},N(e4,t3,i2){let a2=nn(n2(e4),t3,i2);return{year:r2(a2.year),month:a2.
month}},ne(e4,t3,r3,i2){return rn(n2(e4),t3,n2(r3),i2)}}}function Kc(e3,t2){let n2=qc(e3);return{m:t2.m,Z:t2.Z,X:t2.X,ie:n2.
he,je:w(Yc,n2),se:w(Xc,n2),O:w(Zc,n2,t2.m),v:w(il,n2,t2.m,t2.Ce),u:w($c,n2,t2.m),k:w(nl,n2),p:w(tl,n2),j:w(el,n2),q:w(Qc,
n2,t2.m),h:w(rl,n2),N:w(al,n2),ne:w(ol,n2)}}function qc(e3){let t2=(e4=>new qa(`en-u-hc-h23`,{calendar:e4,timeZone:`UTC`,
era:`short`,year:`numeric`,month:`short`,day:`numeric`}))(e3);function n2(e4){return{...Jc(n3=Ja(t2,e4)),month:0,Fe:n3.month,
day:parseInt(n3.day)};var n3}let r2=(e4=>{let t3=e4(0).year-1970;return S(function(n3){let r3=Gt(n3-t3)*Ve,i2,a2=0,o2=[],
s2=[];do r3+=400*Ve;while((i2=e4(r3)).year<=n3);do r3+=(1-i2.day)*Ve,i2.year===n3&&(o2.push(r3),s2.push(i2.Fe)),r3-=Ve,(++a2>
500||r3<-864e13)&&b();while((i2=e4(r3)).year>=n3);return{$:o2.reverse(),we:s2.reverse()}})})(n2);return{he:((e4,t3)=>S(n3=>{
let r3=Ut(n3),i2=e4(r3);return{...i2,month:sl(t3,i2.year,r3)}},WeakMap))(n2,r2),K:r2}}function Jc(e3){return{era:void 0,
eraYear:void 0,year:parseInt(e3.relatedYear||e3.year)}}function Yc(e3,t2,n2,r2){return qt(Xc(e3,t2,n2,r2))}function Xc(e3,t2,n2=1,r2=1){
return e3.K(t2).$[n2-1]+(r2-1)*Ve}function Zc(e3,t2,n2,r2){let i2=Qc(e3,t2,n2);return[Re(r2,i2),i2===r2]}function Qc(e3,t2,n2){
if(t2===void 0)return;let r2=e3.K(n2).we;if(r2.length<=12)return;if(t2<0)return-t2;for(let e4=1;e4<r2.length;e4++)if(r2[e4]===
r2[e4-1])return e4+1;for(let e4=0;e4<r2.length;e4++)if(/bis$/i.test(r2[e4]))return e4+1;let i2=e3.K(n2-1).we;for(let e4=0;e4<
r2.length;e4++)if(r2[e4]!==i2[e4])return e4+1}function $c(e3,t2,n2){if(t2!==void 0)return nl(e3,n2)>12;let r2=el(e3,n2);
return r2>el(e3,n2-1)||r2>el(e3,n2+1)}function el(e3,t2){return Yt(Xc(e3,t2),Xc(e3,t2+1))}function tl(e3,t2,n2){let{$:r2}=e3.
K(t2),i2=n2+1,a2=r2;return i2>r2.length&&(i2=1,a2=e3.K(t2+1).$),Yt(r2[n2-1],a2[i2-1])}function nl(e3,t2){return e3.K(t2).
$.length}function rl(e3,t2){let n2=e3.he(t2);return{era:n2.era,eraYear:n2.eraYear}}function il(e3,t2,n2,r2,i2,a2){let o2=n2?.(
r2,i2,a2)||1972,{year:s2,month:c2,day:l2}=e3.he({year:o2,month:12,day:31}),u2=Qc(e3,t2,s2),d2=Re(c2,u2),f2=c2===u2;(E(r2,
d2)||E(Number(i2),Number(f2))||E(a2,l2))===1&&s2--;for(let n3=0;n3<100;n3++){let o3=s2-n3,c3=Qc(e3,t2,o3),l3=Le(r2,i2,c3);
if(i2===(l3===c3)&&a2<=tl(e3,o3,l3))return{year:o3,month:l3}}}function al(e3,t2,n2,r2){if(r2)if(Number.isSafeInteger(n2+=
r2)||b(`Out-of-bounds date`),r2<0)for(;n2<1;)n2+=nl(e3,--t2);else{let r3;for(;n2>(r3=nl(e3,t2));)n2-=r3,t2++}return{year:t2,
month:n2}}function ol(e3,t2,n2,r2,i2){let a2=E(t2,r2)||E(n2,i2);if(!a2)return 0;if(t2===r2)return i2-n2;if(a2<0){let a3=nl(
e3,t2)-n2+i2;for(let n3=t2+1;n3<r2;n3++)a3+=nl(e3,n3);return a3}return-ol(e3,r2,i2,t2,n2)}function sl(e3,t2,n2){let{$:r2}=e3(
t2);for(let e4=r2.length-1;e4>=0;e4--)if(n2>=r2[e4])return e4+1;b()}var cl=2440588;function ll(e3){let t2=e3.J(2441683),
n2=S(t3=>e3.J(Wt(t3)+2440588),WeakMap);function r2(t3,n3){let r3=e3.q?.(t3);return[Re(n3,r3),n3===r3]}return{l:e3.l,m:e3.
m,Z:e3.Z,X:e3.X,ge:e3.ge,te:e3.te,ke:e3.ke,ie:n2,je(t3,n3,r3){return Jt(e3.L(t3,n3,r3)-2440588)},se(t3,n3=1,r3=1){return(e3.
L(t3,n3,r3)-2440588)*Ve},O(t3,n3){return(e3.O||r2)(t3,n3)},v(n3,i2,a2){return e3.v?.(n3,i2,a2)||((n4,i3,a3)=>{i3=!!i3;let o2=e3.
ge||t2.year,[s2,c2]=r2(t2.year,t2.month);(E(n4,s2)||E(Number(i3),Number(c2))||E(a3,t2.day))===1&&o2--;for(let t3=0;t3<100;t3++)
for(let r3 of[o2-t3,o2+t3]){let t4=e3.q?.(r3),o3=Le(n4,i3,t4);if(o3<=e3.k(r3)&&i3===(o3===t4)&&a3<=e3.p(r3,o3))return{year:r3,
month:o3}}})(n3,i2,a2)},u:e3.u,k:e3.k,p:e3.p,j:e3.j,q:e3.q||he,h(t3){let r3=n2(t3);return e3.h?e3.h(r3):{era:r3.era,eraYear:r3.
eraYear}},N(t3,n3,r3){return((e4,t4,n4,r4)=>{if(r4)if(Number.isSafeInteger(n4+=r4)||b(`Out-of-bounds date`),r4<0)for(;n4<
1;)n4+=e4(--t4);else{let r5;for(;n4>(r5=e4(t4));)n4-=r5,t4++}return{year:t4,month:n4}})(e3.k,t3,n3,r3)},ne(t3,n3,r3,i2){
return ul(e3.k,t3,n3,r3,i2)}}}function ul(e3,t2,n2,r2,i2){let a2=E(t2,r2)||E(n2,i2);if(!a2)return 0;if(t2===r2)return i2-
n2;if(a2<0){let a3=e3(t2)-n2+i2;for(let n3=t2+1;n3<r2;n3++)a3+=e3(n3);return a3}return-ul(e3,r2,i2,t2,n2)}var dl={be:0};
var fl={m:13,Z:{1:0,2:29,8:29,9:29,10:29,11:29,12:0},X:30,Ce(e3,t2,n2){if(t2)switch(e3){case 1:return 1651;case 2:return n2<
30?1947:1765;case 3:return n2<30?1966:1955;case 4:return n2<30?1963:1944;case 5:return n2<30?1971:1952;case 6:return n2<
30?1960:1941;case 7:return n2<30?1968:1938;case 8:return n2<30?1957:1718;case 9:return 2014;case 10:return 1984;case 11:
return n2<29?2033:2034;case 12:return 1890}return 1972}};function pl(e3){return Kc(e3,fl)}var ml={am:0};var hl={am:0,aa:0};
var gl={aa:0};function _l(e3,t2,n2=0,r2=0){return ll({l:t2,te(e4,t3,n3){return t3===`aa`&&r2?e4-5500:Oa(e4,n3)},ke(e4,t3,n3){
return ie(n3,1,t3||e4!==13?30:6)},J(t3){let[r3,i2,a2]=((e4,t4)=>{let n3=Math.floor((4*(t4-e4)+3)/1461),r4=1+Math.floor((t4-
vl(e4,n3,1,1))/30);return[n3,r4,t4+1-vl(e4,n3,r4,1)]})(e3,t3);return{year:r3+n2,month:i2,day:a2}},L(t3,r3,i2){return vl(
e3,t3-n2,r3,i2)},p(e4,t3){return((e5,t4)=>t4%13==0?yl(e5)+5:30)(e4-n2,t3)},j(e4){return 365+yl(e4-n2)},k(){return 13},u(e4){
return this.j(e4)>365},h({year:e4}){return n2?{era:`aa`,eraYear:e4}:r2&&e4<=0?{era:`aa`,eraYear:e4+5500}:{era:`am`,eraYear:e4}}})}
function vl(e3,t2,n2,r2){return e3+365*t2+Math.floor(t2/4)+30*(n2-1)+r2-1}function yl(e3){return Math.floor(Ee(e3,4)/3)}
var bl={am:0};function xl(e3){return Ee(7*e3+1,19)<7}function Sl(e3){let t2=Math.floor((235*e3-234)/19),n2=29*t2+Math.floor(
(12084+13753*t2)/25920);return Ee(3*(n2+1),7)<3&&(n2+=1),n2}function Cl(e3){return Sl(e3)+(e4=>{let t2=Sl(e4-1),n2=Sl(e4);
return Sl(e4+1)-n2===356?2:n2-t2===382?1:0})(e3)}function wl(e3){return Cl(e3+1)-Cl(e3)}function Tl(e3,t2){let n2=t2>=6&&
!xl(e3)?t2+1:t2;if(n2===4||n2===7||n2===9||n2===11||n2===13)return 29;let r2=(e4=>{let t3=wl(e4);return t3>380&&(t3-=30),
t3===353?0:t3===354?1:2})(e3);return n2===2?r2===2?30:29:n2===3?r2===0?29:30:n2===6?xl(e3)?30:0:30}var El={shaka:0};var Dl=[
1392,1390,1391,1392,1391,1392,1389,1392,1392,1390,1391,1390];function Ol(e3,t2,n2){return ll({l:{bh:-1,ah:0},J:e3,L:t2,p(e4,t3){
return n2&&Ml(e4)?tl(n2,e4,t3):((e5,t4)=>29+t4%2+(t4===12&&jl(e5)?1:0))(e4,t3)},j(e4){return n2&&Ml(e4)?el(n2,e4):jl(e4)?
355:354},k(){return 12},u(e4){return this.j(e4)>354},v(e4,t3,r2){let i2=n2&&!t3&&r2===30&&Dl[e4-1];return n2&&i2?{year:i2,
month:e4}:void 0},h({year:e4}){return e4<1?{era:`bh`,eraYear:1-e4}:{era:`ah`,eraYear:e4}}})}function kl(e3,t2,n2,r2){return r2+
Math.ceil(29.5*(n2-1))+354*(t2-1)+Math.floor((3+11*t2)/30)+e3-1}function Al(e3,t2){let n2=Math.floor((30*(t2-e3)+10646)/
10631),r2=Math.min(12,Math.ceil((t2-(29+kl(e3,n2,1,1)))/29.5)+1);return{year:n2,month:r2,day:t2-kl(e3,n2,r2,1)+1}}function jl(e3){
return Ee(14+11*e3,30)<11}function Ml(e3){return e3>=1300&&e3<=1600}function Nl(e3,t2){let n2=t2-1948440;if(n2<460322||n2>=
566987)return Al(1948440,t2);let{year:r2,month:i2,day:a2}=e3.he(Jt(t2-cl));return{year:r2,month:i2,day:a2}}function Pl(e3,t2,n2,r2){
return Ml(t2)?Xc(e3,t2,n2,r2)/Ve+cl:kl(1948440,t2,n2,r2)}var Fl=Object.assign({},je,{meiji:1867,taisho:1911,showa:1925,heisei:1988,
reiwa:2018});function Il(e3){let t2=Wt(e3),n2=t2>=18017?`reiwa`:t2>=6947?`heisei`:t2>=-15713?`showa`:t2>=-20974?`taisho`:
t2>=-35428?`meiji`:void 0;return n2?{era:n2,eraYear:e3.year-Fl[n2]}:ln(e3)}var Ll={ap:0};var Rl=[0,31,62,93,124,155,186,
216,246,276,306,336];function zl(e3){return Ee(25*e3+11,33)<8}var Bl={broc:-1,roc:0};var Vl=[`buddhist`,()=>Gc({ve:543,l:dl,
h(e3,t2){return{era:`be`,eraYear:t2}}})];var Hl=[`chinese`,pl];var Ul=[`coptic`,()=>_l(1824665,ml)];var Wl=[`dangi`,pl];
var Gl=new Map([Vl,Hl,Ul,Wl,[`ethiopic`,()=>_l(1723856,hl,0,1)],[`ethioaa`,()=>_l(1723856,gl,5500)],[`hebrew`,()=>ll({l:bl,
m:-6,J(e3){let t2=e3-347997,n2=Math.floor((25920*t2/765433*19+234)/235)+1,r2=Cl(n2),i2=Math.floor(t2-r2);for(;i2<1;)n2--,
r2=Cl(n2),i2=Math.floor(t2-r2);let a2=1,o2=0;for(;o2<i2;)o2+=Tl(n2,a2),a2++;return a2--,o2-=Tl(n2,a2),{year:n2,month:a2,
day:i2-o2}},L(e3,t2,n2){let r2=Cl(e3);for(let n3=1;n3<t2;n3++)r2+=Tl(e3,n3);return r2+n2+347997},p:Tl,j:wl,k(e3){return xl(
e3)?13:12},u:xl,q(e3){return xl(e3)?6:void 0},O(e3,t2){return xl(e3)&&t2===6?[5,1]:[t2-(xl(e3)&&t2>6?1:0),0]},v(e3,t2,n2){
return t2&&e3===5&&n2<=30?{year:5730,month:6}:void 0},h({year:e3}){return{era:`am`,eraYear:e3}}})],[`indian`,function(){
return ll({l:El,J(e3){let t2=Jt(e3-cl),n2=t2.year-78,r2=e3-(Gt(t2.year,1,1)+cl),i2;if(r2<80?(n2--,i2=tn(t2.year-1)?31:30,
r2+=i2+155+90+10):(i2=tn(t2.year)?31:30,r2-=80),r2<i2)return{year:n2,month:1,day:r2+1};let a2=r2-i2;return a2<155?{year:n2,
month:Math.floor(a2/31)+2,day:a2%31+1}:(a2-=155,{year:n2,month:Math.floor(a2/30)+7,day:a2%30+1})},L(e3,t2,n2){let r2=e3+
78,i2,a2;return tn(r2)?(i2=31,a2=Gt(r2,3,21)+cl):(i2=30,a2=Gt(r2,3,22)+cl),t2===1||(a2+=i2+31*Math.min(t2-2,5),t2>=8&&(a2+=
30*(t2-7))),a2+n2-1},p(e3,t2){return t2===1&&tn(e3+78)||t2>=2&&t2<=6?31:30},j(e3){return tn(e3+78)?366:365},k(){return 12},
u(e3){return this.j(e3)>365},h({year:e3}){return{era:`shaka`,eraYear:e3}}})}],[`japanese`,()=>Gc({l:Fl,le:1,h:Il})],[`is\
lamic-civil`,()=>Ol(w(Al,1948440),w(kl,1948440))],[`islamic-tbla`,()=>Ol(w(Al,1948439),w(kl,1948439))],[`islamic-umalqur\
a`,e3=>{let t2=qc(e3);return Ol(w(Nl,t2),w(Pl,t2),t2)}],[`persian`,()=>ll({l:Ll,J(e3){let t2=e3-1948320,n2=1+Math.floor(
(33*t2+3)/12053),r2=t2-(365*(n2-1)+Math.floor((8*n2+21)/33)),i2=Math.floor(r2<216?r2/31:(r2-6)/30);return{year:n2,month:i2+
1,day:r2-Rl[i2]+1}},L(e3,t2,n2){return 1948319+365*(e3-1)+Math.floor((8*e3+21)/33)+Rl[t2-1]+n2},p(e3,t2){return t2<=6?31:
t2<=11||zl(e3)?30:29},j(e3){return zl(e3)?366:365},k(){return 12},u:zl,h({year:e3}){return{era:`ap`,eraYear:e3}}})],[`ro\
c`,()=>Gc({ve:-1911,l:Bl,h(e3,t2){return t2<1?{era:`broc`,eraYear:1-t2}:{era:`roc`,eraYear:t2}}})]]);var Kl={islamic:1,"\
islamic-rgsa":1};var ql={"ethiopic-amete-alem":`ethioaa`,islamicc:`islamic-civil`};var Jl=S((e3,t2)=>{let n2=t2(e3);return n2.
id=e3,n2});function Yl(e3){let t2=Xl(e3);return t2||b(ee(e3)),Jl(...t2)}function Xl(e3){Kl[e3]&&b(ee(e3));let t2=ql[e3]||
e3,n2=Gl.get(t2);return n2&&[t2,n2]}function Zl(e3){let t2=N(e3).toLowerCase();return t2===`iso8601`?void 0:t2===`gregor\
y`?0:Yl(t2)}function Ql(e3=`iso8601`){return Zl(e3)}var $l=new WeakMap;var eu=Pc(jc,class{constructor(e3,t2,n2=void 0){let r2=Or(
Bn(e3)),i2=H(Oo(t2)),a2=Ql(n2);iu(this,jr(r2,i2,a2))}static from(e3,t2=void 0){return U(ru(e3,t2))}static compare(e3,t2){
return fa(ru(e3),ru(t2))}get calendarId(){return Ne(W(this).calendar)}get timeZoneId(){return W(this).timeZone.id}get epochMilliseconds(){
return Pr(W(this))}get epochNanoseconds(){return Fr(W(this))}get offset(){return yo(R(W(this)).offsetNanoseconds)}get offsetNanoseconds(){
return R(W(this)).offsetNanoseconds}get hoursInDay(){return Ur(W(this))}with(e3,t2=void 0){return U(Ms(W(this),ku(e3),t2))}withCalendar(e3){
return U({...W(this),calendar:Qu(e3)})}withTimeZone(e3){return U({...W(this),timeZone:H(au(e3))})}withPlainTime(e3=void 0){
return U(Sc(W(this),Iu(e3)))}add(e3,t2=void 0){return U(pi(W(this),J(e3),t2))}subtract(e3,t2=void 0){return U(pi(W(this),
z(J(e3)),t2))}until(e3,t2=void 0){let n2=W(this),r2=ru(e3);return q(L(Ei(0,Si(n2.calendar,r2.calendar),n2,r2,t2)))}since(e3,t2=void 0){
let n2=W(this),r2=ru(e3);return q(L(Ei(1,Si(n2.calendar,r2.calendar),n2,r2,t2)))}round(e3){let t2=W(this),[n2,r2,i2]=vr(
e3);return U(Hr(t2,n2,r2,i2))}startOfDay(){return U(Wr(W(this)))}equals(e3){return va(W(this),ru(e3))}toInstant(){return cu(
Vs(W(this)))}toPlainDateTime(){return Bu(Hs(W(this)))}toPlainDate(){return Ku(Us(W(this)))}toPlainTime(){return Mu(Ws(W(
this)))}toLocaleString(e3=void 0,t2={}){let n2=W(this),r2=new qa(e3,tc(gc(t2),wi(n2)));return nc(r2,n2),r2.format(Pr(n2))}toString(e3=void 0){
return no(W(this),e3)}toJSON(){return no(W(this))}getTimeZoneTransition(e3){let t2=W(this),n2=oi(t2,e3);return n2?U({...t2,
epochNanoseconds:n2}):null}valueOf(){return Rc()}},tu,Bc,Uc,tt);function U(e3){return iu(Object.create(eu.prototype),e3)}
function W(e3){return nu(e3)||Lc()}function tu(e3){let t2=W(e3);return{...R(t2),calendar:t2.calendar}}function nu(e3){return $l.
get(e3)}function ru(e3,t2){if(y(e3)){let n2=nu(e3);return n2?(yr(t2),n2):Vo(au,Xu(e3),e3,t2)}return Zo(e3,Zl,t2)}function iu(e3,t2){
return $l.set(e3,t2),Ic(e3),e3}function au(e3){if(y(e3)){let t2=nu(e3);return t2||x(te(e3)),t2.timeZone.id}return(e4=>ko(
os(N(e4))))(e3)}var ou=new WeakMap;var su=Pc(Mc,class{constructor(e3){let t2=Or(Bn(e3));pu(this,Ar(t2))}static from(e3){
return cu(du(e3))}static fromEpochMilliseconds(e3){return cu(Qs(e3))}static fromEpochNanoseconds(e3){return cu($s(e3))}static compare(e3,t2){
return da(du(e3),du(t2))}get epochMilliseconds(){return Pr(lu(this))}get epochNanoseconds(){return Fr(lu(this))}add(e3){
return cu(Ar(fi(lu(this).epochNanoseconds,J(e3))))}subtract(e3){return cu(Ar(fi(lu(this).epochNanoseconds,z(J(e3)))))}until(e3,t2=void 0){
return q(Ti(0,lu(this),du(e3),t2))}since(e3,t2=void 0){return q(Ti(1,lu(this),du(e3),t2))}round(e3){let t2=lu(this),[n2,
r2,i2]=vr(e3,5,1);return cu(Ar($r(t2.epochNanoseconds,Yr(n2,r2),i2)))}equals(e3){return _a(lu(this),du(e3))}toZonedDateTimeISO(e3){
return U(Bs(lu(this),H(au(e3))))}toLocaleString(e3=void 0,t2={}){let n2=lu(this);return new qa(e3,hc(t2)).format(Pr(n2))}toString(e3=void 0){
return to(au,lu(this),e3)}toJSON(){return to(au,lu(this))}valueOf(){return Rc()}});function cu(e3){return pu(Object.create(
su.prototype),e3)}function lu(e3){return uu(e3)||Lc()}function uu(e3){return ou.get(e3)}function du(e3){if(y(e3)){let t2=uu(
e3);if(t2)return t2;let n2=nu(e3);if(n2)return Ar(n2.epochNanoseconds)}return Yo(e3)}var{toTemporalInstant:fu}={toTemporalInstant(){
let e3=Date.prototype.valueOf.call(this);return cu(Ar(BigInt(Ln(e3))*Xe))}};function pu(e3,t2){return ou.set(e3,t2),Ic(e3),
e3}var mu=new WeakMap;var hu=Pc(Dc,class{constructor(e3,t2,n2=void 0,r2){let i2=s(e3),a2=s(t2),o2=Ql(n2),c2=Tr(dn({year:s(
r2??1972),month:i2,day:a2}));bu(this,I(c2,o2))}static from(e3,t2=void 0){return gu(yu(e3,t2))}get calendarId(){return Ne(
_u(this).calendar)}with(e3,t2=void 0){return gu(Is(_u(this),ku(e3),t2))}equals(e3){return Sa(_u(this),yu(e3))}toPlainDate(e3){
return Ku(Js(_u(this).calendar,this,e3))}toLocaleString(e3=void 0,t2={}){let n2=_u(this),r2=new qa(e3,ec(xc(t2)));return nc(
r2,n2,1),r2.format(Ut(n2))}toString(e3=void 0){return oo(_u(this),e3)}toJSON(){return oo(_u(this))}valueOf(){return Rc()}},
_u,Vc);function gu(e3){return bu(Object.create(hu.prototype),e3)}function _u(e3){return vu(e3)||Lc()}function vu(e3){return mu.
get(e3)}function yu(e3,t2){if(y(e3)){let n3=vu(e3);if(n3)return F(t2),n3;let r2=Zu(e3);return Go(r2===void 0?void 0:r2,r2===
void 0,e3,t2)}let n2=ns(e3,Zl);return F(t2),n2}function bu(e3,t2){return mu.set(e3,t2),Ic(e3),e3}var xu=new WeakMap;var Su=Pc(
Ec,class{constructor(e3,t2,n2=void 0,r2){let i2=s(e3),a2=s(t2),o2=Ql(n2),c2=wr(dn({year:i2,month:a2,day:s(r2??1)}));Du(this,
I(c2,o2))}static from(e3,t2=void 0){return Cu(Eu(e3,t2))}static compare(e3,t2){return ha(Eu(e3),Eu(t2))}get calendarId(){
return Ne(wu(this).calendar)}with(e3,t2=void 0){return Cu(Fs(wu(this),ku(e3),t2))}add(e3,t2=void 0){let n2=wu(this);return Cu(
I(di(0,n2.calendar,n2,J(e3),t2),n2.calendar))}subtract(e3,t2=void 0){let n2=wu(this);return Cu(I(di(1,n2.calendar,n2,J(e3),
t2),n2.calendar))}until(e3,t2=void 0){let n2=wu(this),r2=Eu(e3);return q(ki(0,Si(n2.calendar,r2.calendar),n2,r2,t2))}since(e3,t2=void 0){
let n2=wu(this),r2=Eu(e3);return q(ki(1,Si(n2.calendar,r2.calendar),n2,r2,t2))}equals(e3){return xa(wu(this),Eu(e3))}toPlainDate(e3){
return Ku(qs(wu(this).calendar,this,e3))}toLocaleString(e3=void 0,t2={}){let n2=wu(this),r2=new qa(e3,ec(bc(t2)));return nc(
r2,n2,1),r2.format(Ut(n2))}toString(e3=void 0){return ao(wu(this),e3)}toJSON(){return ao(wu(this))}valueOf(){return Rc()}},
wu,zc,Hc);function Cu(e3){return Du(Object.create(Su.prototype),e3)}function wu(e3){return Tu(e3)||Lc()}function Tu(e3){
return xu.get(e3)}function Eu(e3,t2){if(y(e3)){let n3=Tu(e3);return n3?(F(t2),n3):Wo(Xu(e3),e3,t2)}let n2=es(e3,Zl);return F(
t2),n2}function Du(e3,t2){return xu.set(e3,t2),Ic(e3),e3}function Ou(e3){if(!y(e3))return;let t2=uu(e3);return t2?[Mc,t2]:
(t2=nu(e3),t2?[jc,t2]:(t2=Vu(e3),t2?[kc,t2]:(t2=qu(e3),t2?[Oc,t2]:(t2=Pu(e3),t2?[Ac,t2]:(t2=Tu(e3),t2?[Ec,t2]:(t2=vu(e3),
t2?[Dc,t2]:(t2=nd(e3),t2?[Nc,t2]:void 0)))))))}function ku(e3){return(Ou(e3)||e3.calendar!==void 0||e3.timeZone!==void 0)&&
x(`Invalid bag`),e3}var Au=new WeakMap;var ju=Pc(Ac,class{constructor(e3=0,t2=0,n2=0,r2=0,i2=0,a2=0){Lu(this,kt(ue(s,{hour:e3,
minute:t2,second:n2,millisecond:r2,microsecond:i2,nanosecond:a2})))}static from(e3,t2=void 0){return Mu(Fu(e3,t2))}static compare(e3,t2){
return ga(Fu(e3),Fu(t2))}with(e3,t2=void 0){return Mu(Ls(Nu(this),ku(e3),t2))}add(e3){return Mu(_i(Nu(this),J(e3))[0])}subtract(e3){
return Mu(_i(Nu(this),z(J(e3)))[0])}until(e3,t2=void 0){return q(ji(0,Nu(this),Fu(e3),t2))}since(e3,t2=void 0){return q(
ji(1,Nu(this),Fu(e3),t2))}round(e3){let t2=Nu(this),[n2,r2,i2]=vr(e3,5);return Mu(Kr(t2,Jr(n2,r2),i2)[0])}equals(e3){return Ca(
Nu(this),Fu(e3))}toLocaleString(e3=void 0,t2={}){let n2=Nu(this);return new qa(e3,ec(yc(t2))).format(Nt(n2))}toString(e3=void 0){
return co(Nu(this),e3)}toJSON(){return co(Nu(this))}valueOf(){return Rc()}},Nu,tt);function Mu(e3){return Lu(Object.create(
ju.prototype),e3)}function Nu(e3){return Pu(e3)||Lc()}function Pu(e3){return Au.get(e3)}function Fu(e3,t2){if(y(e3)){let n3=Pu(
e3);if(n3)return F(t2),n3;let r2=Vu(e3);if(r2)return F(t2),Nr(r2);let i2=nu(e3);return i2?(F(t2),Ws(i2)):Ko(e3,t2)}let n2=rs(
e3);return F(t2),n2}function Iu(e3){return e3===void 0?void 0:Fu(e3)}function Lu(e3,t2){return Au.set(e3,t2),Ic(e3),e3}var Ru=new WeakMap;
var zu=Pc(kc,class{constructor(e3,t2,n2,r2=0,i2=0,a2=0,o2=0,c2=0,l2=0,u2=void 0){let d2=Er(un(ue(s,{year:e3,month:t2,day:n2,
hour:r2,minute:i2,second:a2,millisecond:o2,microsecond:c2,nanosecond:l2}))),f2=Ql(u2);Uu(this,Mr(d2,f2))}static from(e3,t2=void 0){
return Bu(Hu(e3,t2))}static compare(e3,t2){return ma(Hu(e3),Hu(t2))}get calendarId(){return Ne(G(this).calendar)}with(e3,t2=void 0){
return Bu(Ns(G(this),ku(e3),t2))}withCalendar(e3){return Bu(Mr(G(this),Qu(e3)))}withPlainTime(e3=void 0){let t2=G(this);
return Bu(za(t2,Iu(e3),t2.calendar))}add(e3,t2=void 0){let n2=G(this);return Bu(Mr(mi(n2.calendar,n2,J(e3),t2),n2.calendar))}subtract(e3,t2=void 0){
let n2=G(this);return Bu(Mr(mi(n2.calendar,n2,z(J(e3)),t2),n2.calendar))}until(e3,t2=void 0){let n2=G(this),r2=Hu(e3);return q(
Di(0,Si(n2.calendar,r2.calendar),n2,r2,t2))}since(e3,t2=void 0){let n2=G(this),r2=Hu(e3);return q(Di(1,Si(n2.calendar,r2.
calendar),n2,r2,t2))}round(e3){let t2=G(this),[n2,r2,i2]=vr(e3);return Bu(Mr(Gr(t2,Jr(n2,r2),i2),t2.calendar))}equals(e3){
return ya(G(this),Hu(e3))}toZonedDateTime(e3,t2=void 0){return U(Gs(G(this),H(au(e3)),t2))}toPlainDate(){let e3=G(this);
return Ku(I(e3,e3.calendar))}toPlainTime(){return Mu(Nr(G(this)))}toLocaleString(e3=void 0,t2={}){let n2=G(this),r2=new qa(
e3,ec(_c(t2)));return nc(r2,n2),r2.format(Vt(n2))}toString(e3=void 0){return ro(G(this),e3)}toJSON(){return ro(G(this))}valueOf(){
return Rc()}},G,Bc,Uc,tt);function Bu(e3){return Uu(Object.create(zu.prototype),e3)}function G(e3){return Vu(e3)||Lc()}function Vu(e3){
return Ru.get(e3)}function Hu(e3,t2){if(y(e3)){let n3=Vu(e3);if(n3)return F(t2),n3;let r2=qu(e3);if(r2)return F(t2),Mr(P(
r2,Ot),r2.calendar);let i2=nu(e3);return i2?(F(t2),Hs(i2)):Ho(Xu(e3),e3,t2)}let n2=Qo(e3,Zl);return F(t2),n2}function Uu(e3,t2){
return Ru.set(e3,t2),Ic(e3),e3}var Wu=new WeakMap;var Gu=Pc(Oc,class{constructor(e3,t2,n2,r2=void 0){let i2=Tr(dn(ue(s,{
year:e3,month:t2,day:n2}))),a2=Ql(r2);Yu(this,I(i2,a2))}static from(e3,t2=void 0){return Ku(Ju(e3,t2))}static compare(e3,t2){
return ha(Ju(e3),Ju(t2))}get calendarId(){return Ne(K(this).calendar)}with(e3,t2=void 0){return Ku(Ps(K(this),ku(e3),t2))}withCalendar(e3){
return Ku(I(K(this),Qu(e3)))}add(e3,t2=void 0){let n2=K(this);return Ku(I(hi(n2.calendar,n2,J(e3),t2),n2.calendar))}subtract(e3,t2=void 0){
let n2=K(this);return Ku(I(hi(n2.calendar,n2,z(J(e3)),t2),n2.calendar))}until(e3,t2=void 0){let n2=K(this),r2=Ju(e3);return q(
Oi(0,Si(n2.calendar,r2.calendar),n2,r2,t2))}since(e3,t2=void 0){let n2=K(this),r2=Ju(e3);return q(Oi(1,Si(n2.calendar,r2.
calendar),n2,r2,t2))}equals(e3){return ba(K(this),Ju(e3))}toZonedDateTime(e3){let t2=y(e3)?{timeZone:e3.timeZone,plainTime:e3.
plainTime}:{timeZone:e3};return U(Ks(au,Fu,K(this),t2))}toPlainDateTime(e3=void 0){let t2=K(this);return Bu(za(t2,Iu(e3),
t2.calendar))}toPlainYearMonth(){return Cu(Xs(K(this).calendar,this))}toPlainMonthDay(){return gu(Ys(K(this).calendar,this))}toLocaleString(e3=void 0,t2={}){
let n2=K(this),r2=new qa(e3,ec(vc(t2)));return nc(r2,n2),r2.format(Ut(n2))}toString(e3=void 0){return io(K(this),e3)}toJSON(){
return io(K(this))}valueOf(){return Rc()}},K,Bc,Uc);function Ku(e3){return Yu(Object.create(Gu.prototype),e3)}function K(e3){
return qu(e3)||Lc()}function qu(e3){return Wu.get(e3)}function Ju(e3,t2){if(y(e3)){let n3=qu(e3);if(n3)return F(t2),n3;let r2=Vu(
e3);if(r2)return F(t2),I(r2,r2.calendar);let i2=nu(e3);return i2?(F(t2),Us(i2)):Uo(Xu(e3),e3,t2)}let n2=$o(e3,Zl);return F(
t2),n2}function Yu(e3,t2){return Wu.set(e3,t2),Ic(e3),e3}function Xu(e3){let t2=Zu(e3);return t2===void 0?void 0:t2}function Zu(e3){
let{calendar:t2}=e3;if(t2!==void 0)return Qu(t2)}function Qu(e3){if(y(e3)){let t2=qu(e3)||Vu(e3)||nu(e3)||vu(e3)||Tu(e3);
return t2||x(ee(e3)),t2.calendar}return(e4=>Zl(as(N(e4))))(e3)}var $u=new WeakMap;var ed=Pc(Nc,class{constructor(e3=0,t2=0,n2=0,r2=0,i2=0,a2=0,o2=0,s2=0,c2=0,l2=0){
let u2=na(ue(Vn,{years:e3,months:t2,weeks:n2,days:r2,hours:i2,minutes:a2,seconds:o2,milliseconds:s2,microseconds:c2,nanoseconds:l2}));
id(this,L(u2))}static from(e3){return q(J(e3))}static compare(e3,t2,n2=void 0){return pa(rd,J(e3),J(t2),n2)}get sign(){return td(
this).sign}get blank(){return!td(this).sign}with(e3){return q(Rs(td(this),e3))}negated(){return q(ea(td(this)))}abs(){return q(
$i(td(this)))}add(e3,t2=void 0){return q(Xi(rd,0,td(this),J(e3),t2))}subtract(e3,t2=void 0){return q(Xi(rd,1,td(this),J(
e3),t2))}round(e3){return q(Qi(rd,td(this),e3))}total(e3){return Ir(rd,td(this),e3)}toLocaleString(e3=void 0,t2){let n2=td(
this);return Intl.DurationFormat?new Intl.DurationFormat(e3,t2).format(n2):lo(n2,t2)}toString(e3=void 0){return lo(td(this),
e3)}toJSON(){return lo(td(this))}valueOf(){return Rc()}},td,Dn);function q(e3){return id(Object.create(ed.prototype),e3)}
function td(e3){return nd(e3)||Lc()}function nd(e3){return $u.get(e3)}function J(e3){return y(e3)?nd(e3)||qo(e3):is(e3)}
function rd(e3){if(e3!==void 0){if(y(e3)){let t2=nu(e3);if(t2)return t2;let n2=qu(e3);if(n2)return n2;let r2=Vu(e3);return r2?
I(r2,r2.calendar):Bo(au,Xu(e3),e3)}return Xo(e3,Zl)}}function id(e3,t2){return $u.set(e3,t2),Ic(e3),e3}var ad=Object.defineProperties(
{},{...le(`Temporal.Now`),...ce({timeZoneId(){return Tc()},instant(){return cu(Ar(wc()))},zonedDateTimeISO(e3=Tc()){let t2=H(
au(e3));return U(jr(wc(),t2))},plainDateTimeISO(e3=Tc()){return Bu(Mr(Cc(H(au(e3)))))},plainDateISO(e3=Tc()){return Ku(I(
Cc(H(au(e3)))))},plainTimeISO(e3=Tc()){return Mu(Nr(Cc(H(au(e3)))))}})});var od=Object.defineProperties({},{...le(`Tempo\
ral`),...ce({PlainYearMonth:Su,PlainMonthDay:hu,PlainDate:Gu,PlainTime:ju,PlainDateTime:zu,ZonedDateTime:eu,Instant:su,Duration:ed,
Now:ad})});var Y=globalThis.Temporal??od;var sd=Y!==od;var cd=1e3;var ld=864e5;180*ld;var ud=400*ld;var dd=30*36e5;var fd=864e13;
function pd(e3){if(e3===`UTC`||e3===`Etc/UTC`||e3===`Etc/GMT`)return 0;let t2=/^([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?$/.exec(
e3);return t2?(t2[1]===`-`?-1:1)*((Number(t2[2])*60+Number(t2[3]))*60+Number(t2[4]??0))*cd:null}var md=class{constructor(e3){
this.tzid=e3,this.transitions=[],this.offsets=[],this.coverStart=0,this.coverEnd=0,this.covered=false,this.fixedOffsetMs=
pd(e3)}zonedAt(e3){return new Y.ZonedDateTime(BigInt(e3)*1000000n,this.tzid)}ensureCoverage(e3,t2){if(this.fixedOffsetMs!==
null||this.covered&&e3>=this.coverStart&&t2<=this.coverEnd)return;let n2=!this.covered||e3<this.coverStart?e3-ud:this.coverStart,
r2=!this.covered||t2>this.coverEnd?t2+ud:this.coverEnd;if(n2=Math.max(n2,Math.min(e3,-fd)),r2=Math.min(r2,Math.max(t2,fd)),
n2=Math.floor(n2/cd)*cd,r2=Math.ceil(r2/cd)*cd,this.covered){if(n2<this.coverStart){let e4=this.scan(n2,this.coverStart);
this.transitions=e4.transitions.concat(this.transitions),this.offsets=e4.offsets.concat(this.offsets.slice(1))}if(r2>this.
coverEnd){let e4=this.scan(this.coverEnd,r2);this.transitions=this.transitions.concat(e4.transitions),this.offsets=this.
offsets.concat(e4.offsets.slice(1))}}else{let e4=this.scan(n2,r2);this.transitions=e4.transitions,this.offsets=e4.offsets}
this.coverStart=n2,this.coverEnd=r2,this.covered=true}scan(e3,t2){let n2=this.zonedAt(e3),r2=[],i2=[n2.offsetNanoseconds/
1e6];for(;;){let e4=n2.getTimeZoneTransition(`next`);if(e4){if(e4.epochMilliseconds>t2)break;r2.push(e4.epochMilliseconds),
i2.push(e4.offsetNanoseconds/1e6),n2=e4;continue}if(sd)break;let a2=Math.ceil((Math.max(n2.epochMilliseconds,Date.now())+
15552e6)/cd)*cd;if(a2>=t2||a2>fd)break;let o2=this.zonedAt(a2),s2=i2[i2.length-1];if(o2.offsetNanoseconds/1e6!==s2){let e5=n2.
epochMilliseconds,t3=a2;for(;t3-e5>cd;){let n3=e5+Math.floor((t3-e5)/2/cd)*cd;n3<=e5&&(n3=e5+cd),this.zonedAt(n3).offsetNanoseconds/
1e6===s2?e5=n3:t3=n3}r2.push(t3),i2.push(this.zonedAt(t3).offsetNanoseconds/1e6)}n2=o2}return{transitions:r2,offsets:i2}}offsetMsAt(e3){
if(this.fixedOffsetMs!==null)return this.fixedOffsetMs;this.ensureCoverage(e3,e3);let t2=this.transitions,n2=0,r2=t2.length;
for(;n2<r2;){let i2=n2+r2>>1;t2[i2]<=e3?n2=i2+1:r2=i2}return this.offsets[n2]}nextTransitionAfter(e3,t2){if(this.fixedOffsetMs!==
null)return;this.ensureCoverage(e3,t2);let n2=this.transitions,r2=0,i2=n2.length;for(;r2<i2;){let t3=r2+i2>>1;n2[t3]<=e3?
r2=t3+1:i2=t3}let a2=n2[r2];return a2!==void 0&&a2<=t2?a2:void 0}epochMsForWall(e3){if(this.fixedOffsetMs!==null)return{
epochMs:e3-this.fixedOffsetMs,pushed:false};this.ensureCoverage(e3-dd,e3+dd);let t2=this.offsetMsAt(e3-dd),n2=e3-t2;if(this.
offsetMsAt(n2)===t2)return{epochMs:n2,pushed:false};let r2=this.offsetMsAt(e3+dd),i2=e3-r2;return this.offsetMsAt(i2)===
r2?{epochMs:i2,pushed:false}:{epochMs:n2,pushed:true}}timeOfDayMayHitGap(e3,t2,n2){if(this.fixedOffsetMs!==null)return false;
this.ensureCoverage(t2,n2);let r2=this.transitions,i2=0,a2=r2.length;for(;i2<a2;){let e4=i2+a2>>1;r2[e4]<t2?i2=e4+1:a2=e4}
for(let t3=i2;t3<r2.length&&r2[t3]<=n2;t3++){let n3=r2[t3],i3=this.offsets[t3],a3=this.offsets[t3+1]-i3;if(a3<=0)continue;
let o2=e3-((n3+i3)%ld+ld)%ld;if(o2>=0?o2<a3:o2+ld<a3)return true}return false}};var hd=new Map;function gd(e3){let t2=hd.
get(e3);return t2||(t2=new md(e3),hd.set(e3,t2)),t2}var _d=[`YEARLY`,`MONTHLY`,`WEEKLY`,`DAILY`,`HOURLY`,`MINUTELY`,`SEC\
ONDLY`];var vd=[`MO`,`TU`,`WE`,`TH`,`FR`,`SA`,`SU`];var X={MO:1,TU:2,WE:3,TH:4,FR:5,SA:6,SU:7};var yd=new Set(_d);var bd=new Set(
vd);var xd=RegExp(`^([+-]?\\d{1,2})?(${vd.join(`|`)})$`);var Sd=RegExp(`(${vd.join(`|`)})$`);var Cd=1e3;var wd=60*Cd;var Td=60*
wd;var Z=24*Td;var Ed=7*Z;var Dd=[31,28,31,30,31,30,31,31,30,31,30,31];var Od=[0,3,2,5,0,3,5,1,4,6,2,4];var Q=BigInt(1e6);
var kd=BigInt(1e9);var Ad=BigInt(60)*kd;var jd=BigInt(60)*Ad;var Md=BigInt(24)*jd;var Nd=BigInt(7)*Md;var Pd=864e13;var Fd=1e3;
function Id(e3,t2){let n2=Math.abs(e3),r2=Math.abs(t2);for(;r2!==0;){let e4=n2%r2;n2=r2,r2=e4}return n2}function Ld(e3){
let t2=0;for(let n2 of e3??[])t2|=1<<n2-1;return t2}function Rd(e3,t2){return e3===0||(e3&1<<t2-1)!=0}function zd(e3,t2){
let n2=e3/t2;return e3%t2<0n?n2-1n:n2}function Bd(e3,t2){return-zd(-e3,t2)}function Vd(e3,t2){return Number(t2?zd(e3,Q)+
1n:Bd(e3,Q))}function Hd(e3,t2){return Number(t2?Bd(e3,Q)-1n:zd(e3,Q))}function Ud(e3){return Number.isSafeInteger(e3)&&
e3>=-Pd&&e3<=Pd}function Wd(e3,t2,n2){let r2=e3-(t2<=2?1:0),i2=Math.floor(r2/400),a2=r2-i2*400,o2=t2+(t2>2?-3:9),s2=Math.
floor((153*o2+2)/5)+n2-1,c2=a2*365+Math.floor(a2/4)-Math.floor(a2/100)+s2;return i2*146097+c2-719468}function Gd(e3){let t2=e3+
719468,n2=Math.floor(t2/146097),r2=t2-n2*146097,i2=Math.floor((r2-Math.floor(r2/1460)+Math.floor(r2/36524)-Math.floor(r2/
146096))/365),a2=r2-(365*i2+Math.floor(i2/4)-Math.floor(i2/100)),o2=Math.floor((5*a2+2)/153),s2=o2+(o2<10?3:-9);return{year:i2+
n2*400+(s2<=2?1:0),month:s2}}function Kd(e3){return((e3+3)%7+7)%7+1}function $(e3,t2){return(e3-1+t2%7+7)%7+1}function qd(e3){
let t2=e3.toUpperCase().match(Sd)?.[1];return!t2||!bd.has(t2)?null:t2}function Jd(e3){let t2=e3.toUpperCase().match(xd);
if(!t2)return null;let n2=t2[1]?parseInt(t2[1],10):0,r2=t2[2];return!r2||!bd.has(r2)?null:{ord:n2,weekday:r2}}function Yd(e3){
return typeof e3==`object`&&!!e3&&typeof e3.timeZoneId==`string`&&typeof e3.toString==`function`}function Xd(e3){let t2=e3.
epochNanoseconds;return typeof t2==`bigint`?t2:void 0}function Zd(e3,t2){if(!Yd(e3))throw Error(`${t2} must be a ZonedDa\
teTime`);if(e3 instanceof Y.ZonedDateTime)return e3;try{let t3=Xd(e3);if(t3!==void 0){let n2=e3.calendarId;return new Y.
ZonedDateTime(t3,e3.timeZoneId,typeof n2==`string`?n2:`iso8601`)}return Y.ZonedDateTime.from(e3.toString())}catch{throw Error(
`${t2} must be a ZonedDateTime`)}}function Qd(e3,t2){if(e3 instanceof Date){let t3=e3.getTime();return Number.isFinite(t3)||
e3.toISOString(),BigInt(t3)*Q}if(!Yd(e3))throw Error(`${t2} must be a ZonedDateTime`);return Xd(e3)??Zd(e3,t2).epochNanoseconds}
function $d(e3,t2){if(e3?.length)return e3.map(e4=>Zd(e4,t2))}function ef(e3){return typeof e3.rruleString==`string`}function tf(e3,t2){
let n2=[...e3??[],...$d(t2,`Manual date`)??[]];return n2.length>0?n2:void 0}function nf(e3){return e3.replace(/\r?\n[ \t]/g,
``)}function rf(e3,t2,n2){let r2=n2===`DATE`||!e3.includes(`T`),i2=`${e3.slice(0,4)}-${e3.slice(4,6)}-${e3.slice(6,8)}`;
if(r2)return Y.PlainDate.from(i2).toZonedDateTime({timeZone:t2});if(e3.endsWith(`Z`)){let n3=`${i2}T${e3.slice(9,15)}Z`;
return Y.Instant.from(n3).toZonedDateTimeISO(t2||`UTC`)}else{let n3=`${i2}T${e3.slice(9)}`;return Y.PlainDateTime.from(n3).
toZonedDateTime(t2)}}function af(e3,t2,n2){let r2=[];for(let i2 of e3){let e4=of(i2,t2);if(!e4)continue;let a2=e4.tzid||
n2,o2=e4.value.split(`,`);r2.push(...o2.map(t3=>rf(t3,a2,e4.valueType)))}return r2}function of(e3,t2){let n2=e3.indexOf(
`:`);if(n2===-1)return null;let r2=e3.slice(0,n2),i2=e3.slice(n2+1),[a2,...o2]=r2.split(`;`);if(a2?.toUpperCase()!==t2)return null;
let s2,c2;for(let e4 of o2){let t3=e4.indexOf(`=`);if(t3===-1)continue;let n3=e4.slice(0,t3).toUpperCase(),r3=e4.slice(t3+
1);n3===`VALUE`?s2=r3.toUpperCase():n3===`TZID`&&(c2=r3)}return{valueType:s2,tzid:c2,value:i2}}function sf(e3,t2,n2){let r2=e3.
trim();if(n2&&!/^[+-]?\d+$/.test(r2))throw Error(`Invalid ${t2} value: ${e3}`);return parseInt(r2,10)}function cf(e3,t2=false,n2=false,r2=`\
number`){let i2=e3.split(`,`).map(e4=>sf(e4,r2,n2));return t2?i2.sort((e4,t3)=>e4-t3):i2}function lf(e3,t2=false){return e3.
split(`,`).map(e4=>{let n2=e4.trim();if(/^\d+L$/i.test(n2))return n2.toUpperCase();let r2=sf(n2,`BYMONTH`,t2);return Number.
isFinite(r2)?r2:n2})}function uf(e3,t2,n2,r2=false){let i2=nf(e3).trim(),a2,o2=t2,s2=`DATE-TIME`,c2=false,l2=false,u2,d2=[],
f2=[];if(/^DTSTART/im.test(i2)){let e4=i2.split(/\s+/),n3=e4.find(e5=>e5.match(/^DTSTART/i)),r3=e4.find(e5=>e5.match(/^RRULE:/i)),
p3=e4.filter(e5=>e5.match(/^EXDATE/i)),m3=e4.filter(e5=>e5.match(/^RDATE/i)),h3=of(n3,`DTSTART`);if(!h3)throw Error(`Inv\
alid DTSTART in ICS snippet`);let{valueType:g2,tzid:_2,value:v2}=h3;s2=(g2||(v2?.includes(`T`)?`DATE-TIME`:`DATE`)).toUpperCase()===
`DATE`?`DATE`:`DATE-TIME`,c2=!!_2,l2=!!v2?.endsWith(`Z`),a2=rf(v2,_2??t2??o2??`UTC`,s2),o2=_2??a2.timeZoneId??t2??o2??`U\
TC`,u2=r3,d2=af(p3,`EXDATE`,o2??`UTC`),f2=af(m3,`RDATE`,o2??`UTC`)}else a2=n2?Zd(n2,`dtstart`):void 0,u2=i2,a2&&(o2=a2.timeZoneId,
s2=`DATE-TIME`,c2=true,l2=a2.timeZoneId===`UTC`);let p2=u2?u2.replace(/^RRULE:/i,``).split(`;`):[],m2={dtstart:a2,tzid:o2,
exDate:d2.length>0?d2:void 0,rDate:f2.length>0?f2:void 0},h2;for(let e4 of p2){let[t3,n3]=e4.split(`=`);if(t3)switch(t3.
toUpperCase()){case`RSCALE`:n3&&(m2.rscale=n3.toUpperCase(),h2&&!m2.skip&&(m2.skip=h2,h2=void 0));break;case`SKIP`:{let e5=(n3||
``).toUpperCase();if(![`OMIT`,`BACKWARD`,`FORWARD`].includes(e5))throw Error(`Invalid SKIP value: ${n3}`);m2.rscale?m2.skip=
e5:h2=e5;break}case`FREQ`:m2.freq=n3.toUpperCase();break;case`INTERVAL`:m2.interval=sf(n3,`INTERVAL`,r2);break;case`COUN\
T`:m2.count=sf(n3,`COUNT`,r2);break;case`UNTIL`:{let e5=n3.includes(`T`);if(s2===`DATE`){if(e5)throw Error(`UNTIL rule p\
art MUST have the same value type as DTSTART`);m2.until=rf(n3,o2||`UTC`,`DATE`);break}if(!e5){if(r2)throw Error(`UNTIL r\
ule part MUST have the same value type as DTSTART`);let e6=rf(n3,o2||`UTC`,`DATE`).with({hour:23,minute:59,second:59,millisecond:0,
microsecond:0,nanosecond:0});m2.until=c2||l2?e6.withTimeZone(`UTC`):e6;break}if((c2||l2)&&!n3.endsWith(`Z`))throw Error(
`UNTIL rule part MUST always be specified as a date with UTC time`);m2.until=rf(n3,o2||`UTC`,`DATE-TIME`);break}case`BYH\
OUR`:m2.byHour=cf(n3,true,r2,`BYHOUR`);break;case`BYMINUTE`:m2.byMinute=cf(n3,true,r2,`BYMINUTE`);break;case`BYSECOND`:m2.
bySecond=cf(n3,true,r2,`BYSECOND`);break;case`BYDAY`:m2.byDay=n3.split(`,`).map(e5=>e5.toUpperCase());break;case`BYMONTH`:
m2.byMonth=lf(n3,r2);break;case`BYMONTHDAY`:m2.byMonthDay=cf(n3,false,r2,`BYMONTHDAY`);break;case`BYYEARDAY`:m2.byYearDay=
cf(n3,false,r2,`BYYEARDAY`);break;case`BYWEEKNO`:m2.byWeekNo=cf(n3,false,r2,`BYWEEKNO`);break;case`BYSETPOS`:m2.bySetPos=
cf(n3,false,r2,`BYSETPOS`);break;case`WKST`:m2.wkst=n3?.toUpperCase();break}}if(h2&&!m2.rscale)throw Error(`SKIP MUST NO\
T be present unless RSCALE is present`);return h2&&m2.rscale&&!m2.skip&&(m2.skip=h2),m2}var df=class e2{static{this.rscaleCalendarSupport=
{}}static normalizeToPolyfill(e3){return Zd(e3,`Date`)}toPublicDate(e3){if(!e3)return null;let t2=this.outputTemporal?.ZonedDateTime;
if(!t2||t2===Y.ZonedDateTime)return e3;if(this.outputConstructorFastPathAvailable!==false)try{let n2=new t2(e3.epochNanoseconds,
e3.timeZoneId,e3.calendarId);return this.outputConstructorFastPathAvailable=true,n2}catch{this.outputConstructorFastPathAvailable=
false}return t2.from(e3.toString())}toPublicDates(e3){return!this.outputTemporal||this.outputTemporal.ZonedDateTime===Y.
ZonedDateTime?e3:e3.map(e4=>this.toPublicDate(e4))}constructor(t2){this.outputTemporal=t2.temporal;let n2;if(ef(t2)){let r2=uf(
t2.rruleString,t2.tzid,t2.dtstart,t2.strict??false);if(!r2.dtstart)throw Error(`dtstart is required - provide it either \
in rruleString or as a separate parameter`);let i2=e2.normalizeToPolyfill(r2.dtstart);this.tzid=r2.tzid??t2.tzid??`UTC`,
this.originalDtstart=i2,n2={...r2,dtstart:i2,rDate:tf(r2.rDate,t2.rDate),exDate:tf(r2.exDate,t2.exDate),count:t2.count??
r2.count,until:t2.until?e2.normalizeToPolyfill(t2.until):r2.until,strict:t2.strict,maxIterations:t2.maxIterations,maxCandidateEvaluations:t2.
maxCandidateEvaluations,includeDtstart:t2.includeDtstart,cache:t2.cache,temporal:t2.temporal,tzid:this.tzid}}else{let e3=Zd(
t2.dtstart,`Manual dtstart`);n2={...t2,dtstart:e3,until:t2.until?Zd(t2.until,`Manual until`):void 0,rDate:$d(t2.rDate,`M\
anual rDate`),exDate:$d(t2.exDate,`Manual exDate`)},n2.tzid=n2.tzid||e3.timeZoneId,this.tzid=n2.tzid,this.originalDtstart=
e3}if(!n2.freq)throw Error(`RRULE must include FREQ`);if(n2.interval=n2.interval??1,n2.interval<=0)throw Error(`Cannot c\
reate RRule: interval must be greater than 0`);if(this.opts=this.sanitizeOpts(n2),this.maxIterations=n2.maxIterations??1e4,
this.maxCandidateEvaluations=n2.maxCandidateEvaluations??1e6,!Number.isSafeInteger(this.maxCandidateEvaluations)||this.maxCandidateEvaluations<=
0)throw Error(`maxCandidateEvaluations must be a positive safe integer`);this.includeDtstart=n2.includeDtstart??false,this.
parsedByDayTokens=this.buildParsedByDayTokens(this.opts.byDay),this.simpleByDayIsoDays=this.buildByDayIsoDays(this.parsedByDayTokens,
false),this.allByDayIsoDays=this.buildByDayIsoDays(this.parsedByDayTokens,true),this.hasOrdinalByDay=this.parsedByDayTokens?.
some(e3=>e3.ord!==0)??false,this.canUseEpochMillisecondsPrecisionFlag=this.originalDtstart.microsecond===0&&this.originalDtstart.
nanosecond===0&&(!this.opts.until||this.opts.until.microsecond===0&&this.opts.until.nanosecond===0),this.timeSlotOffsetsMs=
this.buildTimeSlotOffsetsMs(),this.hasUniqueTimeSlotOffsets=this.timeSlotOffsetsMs===void 0||new Set(this.timeSlotOffsetsMs).
size===this.timeSlotOffsetsMs.length,this.numericByMonths=this.opts.byMonth?.filter(e3=>typeof e3==`number`)}buildParsedByDayTokens(e3){
if(!e3?.length)return;let t2=e3.map(e4=>{let t3=Jd(e4);return t3?{ord:t3.ord,weekday:t3.weekday,isoDay:X[t3.weekday]}:null}).
filter(e4=>e4!==null);return t2.length>0?t2:void 0}buildByDayIsoDays(e3,t2){if(!e3?.length)return;let n2=e3.filter(e4=>t2||
e4.ord===0).map(e4=>e4.isoDay);if(n2.length)return[...new Set(n2)].sort((e4,t3)=>e4-t3)}sanitizeNumericArray(e3,t2,n2,r2=false,i2=false){
if(!e3)return;let a2=[],o2=new Set;for(let i3 of e3)Number.isInteger(i3)&&i3>=t2&&i3<=n2&&(r2||i3!==0)&&!o2.has(i3)&&(o2.
add(i3),a2.push(i3));if(a2.length!==0)return i2?a2.sort((e4,t3)=>e4-t3):a2}sanitizeByDay(e3){let t2=[],n2=new Set;for(let r2 of e3??
[]){if(!r2||typeof r2!=`string`)continue;let e4=r2.toUpperCase(),i2=Jd(e4);if(!i2||i2.ord===0&&/^[+-]?\d/.test(e4))throw Error(
`Invalid BYDAY value: ${r2}`);n2.has(e4)||(n2.add(e4),t2.push(e4))}return t2.length>0?t2:void 0}enforceStrictRfc(e3){if(!e3.
strict)return;let t2=e3.freq;if(e3.count!==void 0&&e3.until!==void 0)throw Error(`COUNT and UNTIL MUST NOT occur in the \
same recurrence rule`);if(e3.byWeekNo&&t2!==`YEARLY`)throw Error(`BYWEEKNO MUST NOT be used unless FREQ=YEARLY`);if(e3.byYearDay&&
[`DAILY`,`WEEKLY`,`MONTHLY`].includes(t2))throw Error(`BYYEARDAY MUST NOT be used when FREQ is DAILY, WEEKLY, or MONTHLY`);
if(e3.byMonthDay&&t2===`WEEKLY`)throw Error(`BYMONTHDAY MUST NOT be used when FREQ is WEEKLY`);let n2=(e3.byDay??[]).some(
e4=>/^[+-]?\d/.test(e4));if(n2&&![`MONTHLY`,`YEARLY`].includes(t2))throw Error(`BYDAY with numeric value MUST NOT be use\
d unless FREQ is MONTHLY or YEARLY`);if(n2&&t2===`YEARLY`&&e3.byWeekNo)throw Error(`BYDAY with numeric value MUST NOT be\
 used with FREQ=YEARLY when BYWEEKNO is present`);let r2=!!(e3.byDay||e3.byMonth||e3.byMonthDay||e3.byYearDay||e3.byWeekNo||
e3.byHour||e3.byMinute||e3.bySecond);if(e3.bySetPos&&!r2)throw Error(`BYSETPOS MUST be used with another BYxxx rule part`)}sanitizeOpts(e3){
if(!yd.has(e3.freq))throw Error(`Invalid FREQ value: ${e3.freq}`);if(e3.byDay=this.sanitizeByDay(e3.byDay),e3.wkst){let t2=e3.
wkst.toUpperCase();if(!bd.has(t2))throw Error(`Invalid WKST value: ${e3.wkst}`);e3.wkst=t2}if(e3.byMonth){let t2=e3.byMonth.
filter(e4=>typeof e4==`number`),n2=e3.byMonth.filter(e4=>typeof e4==`string`).map(e4=>e4.toUpperCase()),r2=this.sanitizeNumericArray(
t2,1,12,false,false)??[],i2=[...new Set([...r2,...n2])];e3.byMonth=i2.length>0?i2:void 0}if(e3.rscale&&!e3.skip&&(e3.skip=
`OMIT`),e3.byMonthDay=this.sanitizeNumericArray(e3.byMonthDay,-31,31,false,false),e3.byYearDay=this.sanitizeNumericArray(
e3.byYearDay,-366,366,false,false),e3.byWeekNo=this.sanitizeNumericArray(e3.byWeekNo,-53,53,false,false),e3.byHour=this.
sanitizeNumericArray(e3.byHour,0,23,true,true),e3.byMinute=this.sanitizeNumericArray(e3.byMinute,0,59,true,true),e3.bySecond=
this.sanitizeNumericArray(e3.bySecond,0,59,true,true),e3.bySetPos){if(e3.bySetPos.some(e4=>e4===0))throw Error(`bySetPos\
 may not contain 0`);e3.bySetPos=this.sanitizeNumericArray(e3.bySetPos,-1/0,1/0,false,false)}return this.enforceStrictRfc(
e3),e3}rawAdvance(e3){let{freq:t2,interval:n2}=this.opts;switch(t2){case`DAILY`:return e3.add({days:n2});case`WEEKLY`:return e3.
add({weeks:n2});case`MONTHLY`:return e3.add({months:n2});case`YEARLY`:return e3.add({years:n2});case`HOURLY`:{let t3=e3.
hour,r2=e3.add({hours:n2});return r2.hour===t3&&n2===1&&(r2=r2.add({hours:n2})),r2}case`MINUTELY`:return e3.add({minutes:n2});case`\
SECONDLY`:return e3.add({seconds:n2});default:throw Error(`Unsupported FREQ: ${t2}`)}}expandByTime(e3){if(!this.opts.byHour&&
!this.opts.byMinute&&!this.opts.bySecond)return[e3];let t2=this.opts.byHour??[e3.hour],n2=this.opts.byMinute??[e3.minute],
r2=this.opts.bySecond??[e3.second];if(t2.length===1&&n2.length===1&&r2.length===1){let i3=t2[0],a2=n2[0],o2=r2[0];if(i3===
e3.hour&&a2===e3.minute&&o2===e3.second)return[e3];let s2=this.resolveGeneratedTime(e3.toPlainDateTime().with({hour:i3,minute:a2,
second:o2}));return s2?[s2]:[]}let i2=[];for(let a2 of t2)for(let t3 of n2)for(let n3 of r2){let r3=this.resolveGeneratedTime(
e3.toPlainDateTime().with({hour:a2,minute:t3,second:n3}));r3&&i2.push(r3)}return i2.sort((e4,t3)=>Y.ZonedDateTime.compare(
e4,t3))}localDateKey(e3){return`${e3.calendarId}:${e3.year}:${e3.month}:${e3.day}`}sortedUniqueDateCandidates(e3){let t2=new Map;
for(let n2 of e3){let e4=this.localDateKey(n2);t2.has(e4)||t2.set(e4,n2)}return[...t2.values()].sort((e4,t3)=>Y.PlainDate.
compare(e4,t3))}resolveGeneratedTime(e3){let t2=this.originalDtstart,n2=this.originalPlainDtstart??=t2.toPlainDateTime();
if(t2.timeZoneId===this.generationTimeZone&&e3.equals(n2))return t2;let r2=t2.timeZoneId===this.generationTimeZone?t2:t2.
withTimeZone(this.generationTimeZone);r2.calendarId!==e3.calendarId&&(r2=r2.withCalendar(e3.calendarId));let i2=r2.with(
{year:e3.year,month:e3.month,day:e3.day,hour:e3.hour,minute:e3.minute,second:e3.second,millisecond:e3.millisecond,microsecond:e3.
microsecond,nanosecond:e3.nanosecond},{offset:`ignore`,overflow:`reject`});return i2.toPlainDateTime().equals(e3)?i2:null}get generationTimeZone(){
return this.opts.rscale&&[`CHINESE`,`HEBREW`,`INDIAN`].includes(this.opts.rscale)?this.tzid:this.originalDtstart.timeZoneId}timeOfDayNanoseconds(e3){
return((e3.hour*60*60+e3.minute*60+e3.second)*1e3+e3.millisecond)*1e6+e3.microsecond*1e3+e3.nanosecond}timeSlotNanoseconds(e3,t2,n2,r2){
return((t2*60*60+n2*60+r2)*1e3+e3.millisecond)*1e6+e3.microsecond*1e3+e3.nanosecond}needsSortedTimeFallback(e3){try{let t2=e3.
startOfDay();return t2.add({days:1}).startOfDay().epochNanoseconds-t2.epochNanoseconds!==BigInt(864e11)}catch{return true}}createCandidateWorkBudget(){
return{evaluated:0,seenOccurrences:new Set}}recordCandidateEvaluation(e3,t2=1){if(e3.evaluated+=t2,e3.evaluated>this.maxCandidateEvaluations)
throw Error(`Maximum candidate evaluations (${this.maxCandidateEvaluations}) exceeded in all()`)}visitTimeSlots(e3,t2,n2,r2,i2,a2=this.
createCandidateWorkBudget()){let o2=this.opts.byHour??[this.originalDtstart.hour],s2=this.opts.byMinute??[this.originalDtstart.
minute],c2=this.opts.bySecond??[this.originalDtstart.second],l2=e3.toPlainDateTime(this.originalDtstart.toPlainTime()),u2=(e4,t3,n3)=>this.
resolveGeneratedTime(l2.with({hour:e4,minute:t3,second:n3}));if(o2.length===1&&s2.length===1&&c2.length===1){this.recordCandidateEvaluation(
a2);let e4=u2(o2[0],s2[0],c2[0]);return!e4||r2&&Y.ZonedDateTime.compare(e4,r2)<0||i2&&Y.ZonedDateTime.compare(e4,i2)>0?true:
n2(e4)}if(this.needsSortedTimeFallback(l2.toZonedDateTime(this.generationTimeZone))){let e4=[];for(let t3 of o2)for(let n3 of s2)
for(let o3 of c2){this.recordCandidateEvaluation(a2);let s3=u2(t3,n3,o3);s3&&(r2&&Y.ZonedDateTime.compare(s3,r2)<0||i2&&
Y.ZonedDateTime.compare(s3,i2)>0||e4.push(s3))}e4.sort((e5,t3)=>Y.ZonedDateTime.compare(e5,t3));let l3,d3=t2===1?0:e4.length-
1,f3=t2===1?e4.length:-1;for(let r3=d3;r3!==f3;r3+=t2){let t3=e4[r3];if(t3.epochNanoseconds!==l3&&(l3=t3.epochNanoseconds,
!n2(t3)))return false}return true}let d2=r2?this.timeOfDayNanoseconds(r2):void 0,f2=i2?this.timeOfDayNanoseconds(i2):void 0,
p2=t2===1?0:o2.length-1,m2=t2===1?o2.length:-1;for(let e4=p2;e4!==m2;e4+=t2){let r3=o2[e4],i3=t2===1?0:s2.length-1,l3=t2===
1?s2.length:-1;for(let e5=i3;e5!==l3;e5+=t2){let i4=s2[e5],o3=t2===1?0:c2.length-1,l4=t2===1?c2.length:-1;for(let e6=o3;e6!==
l4;e6+=t2){let t3=c2[e6],o4=this.timeSlotNanoseconds(this.originalDtstart,r3,i4,t3);if(d2!==void 0&&o4<d2||f2!==void 0&&
o4>f2)continue;this.recordCandidateEvaluation(a2);let s3=u2(r3,i4,t3);if(s3&&!n2(s3))return false}}}return true}visitDateTimeCandidates(e3,t2,n2,r2,i2,a2=this.
createCandidateWorkBudget()){let o2=this.sortedUniqueDateCandidates(e3);if(!o2.length)return true;let s2=o2[0],c2=r2?.withTimeZone(
this.generationTimeZone).withCalendar(s2.calendarId),l2=i2?.withTimeZone(this.generationTimeZone).withCalendar(s2.calendarId),
u2=c2?.toPlainDate(),d2=l2?.toPlainDate(),f2=t2===1?0:o2.length-1,p2=t2===1?o2.length:-1,m2;for(let e4=f2;e4!==p2;e4+=t2){
let r3=o2[e4],i3=r3;if(u2&&Y.PlainDate.compare(i3,u2)<0||d2&&Y.PlainDate.compare(i3,d2)>0)continue;let s3=u2&&Y.PlainDate.
compare(i3,u2)===0,f3=d2&&Y.PlainDate.compare(i3,d2)===0;if(!this.visitTimeSlots(r3,t2,e5=>e5.epochNanoseconds===m2?true:
(m2=e5.epochNanoseconds,n2(e5)),s3?c2:void 0,f3?l2:void 0,a2))return false}return true}visitPeriodCandidates(e3,t2,n2,r2,i2=this.
createCandidateWorkBudget()){let a2=this.opts.bySetPos;if(!a2?.length)return this.visitDateTimeCandidates(e3,1,t2,n2,r2,
i2);let o2=new Set(a2.filter(e4=>e4>0)),s2=new Set(a2.filter(e4=>e4<0).map(e4=>-e4)),c2=new Map;if(o2.size>0){let t3=0;for(let e4 of o2)
t3=Math.max(t3,e4);let n3=0;this.visitDateTimeCandidates(e3,1,e4=>(n3+=1,o2.has(n3)&&c2.set(e4.epochNanoseconds,e4),n3<t3),
void 0,void 0,i2)}if(s2.size>0){let t3=0;for(let e4 of s2)t3=Math.max(t3,e4);let n3=0;this.visitDateTimeCandidates(e3,-1,
e4=>(n3+=1,s2.has(n3)&&c2.set(e4.epochNanoseconds,e4),n3<t3),void 0,void 0,i2)}let l2=[...c2.values()].sort((e4,t3)=>Y.ZonedDateTime.
compare(e4,t3));for(let e4 of l2)if(!(n2&&Y.ZonedDateTime.compare(e4,n2)<0)&&!(r2&&Y.ZonedDateTime.compare(e4,r2)>0)&&!t2(
e4))return false;return true}visitUtcPeriodCandidates(e3,t2,n2,r2,i2){let a2=this.timeSlotOffsetsMs;if(this.tzid!==`UTC`||
this.originalDtstart.timeZoneId!==`UTC`||![`iso8601`,`gregory`].includes(e3.calendarId)||this.opts.rscale!==void 0||this.
opts.byYearDay||this.opts.byWeekNo||this.opts.byMonth?.some(e4=>typeof e4!=`number`)||!a2?.length||!this.hasUniqueTimeSlotOffsets||
!Number.isSafeInteger(this.opts.interval)||e3.year<=-271821||e3.year>=275760||!(this.opts.byDay||this.opts.byMonthDay))return null;
let o2;if(this.opts.freq===`MONTHLY`){let t3=Wd(e3.year,e3.month,1);o2=this.generateMonthlyOccurrenceDaysUtc(e3.year,e3.
month).map(e4=>t3+e4-1)}else if(this.opts.freq===`YEARLY`){if(this.hasOrdinalByDay&&!this.numericByMonths?.length&&(this.
opts.byMonthDay||this.parsedByDayTokens?.some(e4=>e4.ord===0||Math.abs(e4.ord)>52)))return null;o2=this.generateYearlyOccurrenceDaysUtc(
e3.year)}else return null;let s2=o2.length*a2.length,c2=e4=>o2[Math.floor(e4/a2.length)]*Z+a2[e4%a2.length],l2=e4=>{let t3=0,
n3=s2;for(;t3<n3;){let r3=t3+Math.floor((n3-t3)/2);c2(r3)<e4?t3=r3+1:n3=r3}return t3},u2=n2?l2(Number(Bd(n2.epochNanoseconds,
Q))):0,d2=r2?l2(Number(zd(r2.epochNanoseconds,Q))+1):s2,f2=n3=>t2(new Y.ZonedDateTime(BigInt(c2(n3))*Q,`UTC`,e3.calendarId)),
p2=this.opts.bySetPos;if(p2?.length){let e4=0,t3=0,n3=new Set;for(let r3 of p2){r3>0?e4=Math.max(e4,r3):t3=Math.max(t3,-r3);
let i3=r3>0?r3-1:s2+r3;i3>=0&&i3<s2&&n3.add(i3)}this.recordCandidateEvaluation(i2,Math.min(s2,e4)+Math.min(s2,t3));for(let e5 of[
...n3].sort((e6,t4)=>e6-t4))if(e5>=u2&&e5<d2&&!f2(e5))return false}else for(let e4=u2;e4<d2;e4++)if(this.recordCandidateEvaluation(
i2),!f2(e4))return false;return true}nextCandidateSameDate(e3){let{freq:t2,interval:n2=1,byHour:r2,byMinute:i2,bySecond:a2}=this.
opts;if(r2?.length&&!r2.includes(e3.hour)){let n3=r2.find(t3=>t3>e3.hour);return(n3===void 0?e3.add({days:1}):e3).with({
hour:n3??r2[0],minute:i2?.[0]??(t2===`HOURLY`?this.originalDtstart.minute:0),second:a2?.[0]??(t2===`SECONDLY`?0:this.originalDtstart.
second)})}if(t2===`HOURLY`&&r2&&r2.length===1)return this.applyTimeOverride(e3.add({days:n2}));if(t2===`MINUTELY`&&i2&&i2.
length===1){let t3=e3.add({hours:n2});return r2?.length&&!r2.includes(t3.hour)?this.nextCandidateSameDate(t3):t3.with({minute:i2[0],
second:a2?.[0]??t3.second})}if(a2&&a2.length>1){let t3=a2.indexOf(e3.second);if(t3!==-1&&t3<a2.length-1)return e3.with({
second:a2[t3+1]})}if(t2===`MINUTELY`&&r2&&r2.length>1&&!i2){let t3=e3.add({minutes:n2});if(r2.includes(t3.hour))return t3.
with({second:a2?a2[0]:e3.second});let i3=r2.find(t4=>t4>e3.hour)||r2[0];return i3&&i3>e3.hour?e3.with({hour:i3,minute:0,
second:a2?a2[0]:e3.second}):this.applyTimeOverride(e3.add({days:1}))}if(t2===`SECONDLY`){let t3=e3;if(a2&&a2.length>0){let e4=a2.
find(e5=>e5>t3.second);if(e4!==void 0)return t3.with({second:e4});t3=t3.with({second:a2[0]}).add({minutes:1})}else t3=t3.
add({seconds:n2});if(i2&&i2.length>0&&(!i2.includes(t3.minute)||t3.minute===e3.minute&&t3.second<e3.second)){let e4=i2.find(
e5=>e5>t3.minute);if(e4!==void 0)return t3.with({minute:e4,second:a2?a2[0]:0});t3=t3.with({minute:i2[0],second:a2?a2[0]:
0}).add({hours:1})}if(r2&&r2.length>0&&(!r2.includes(t3.hour)||t3.hour===e3.hour&&t3.minute<e3.minute)){let e4=r2.find(e5=>e5>
t3.hour);if(e4!==void 0)return t3.with({hour:e4,minute:i2?i2[0]:0,second:a2?a2[0]:0});t3=t3.with({hour:r2[0],minute:i2?i2[0]:
0,second:a2?a2[0]:0}).add({days:1})}return t3}if(i2&&i2.length>1){let o2=i2.indexOf(e3.minute);if(o2!==-1&&o2<i2.length-
1)return e3.with({minute:i2[o2+1],second:a2?a2[0]:e3.second});if(t2===`MINUTELY`&&o2===i2.length-1){if(r2&&r2.length>0){
let t3=r2.indexOf(e3.hour);return t3!==-1&&t3<r2.length-1?e3.with({hour:r2[t3+1],minute:i2[0],second:a2?a2[0]:e3.second}):
this.applyTimeOverride(e3.add({days:1}))}return e3.add({hours:n2}).with({minute:i2[0],second:a2?a2[0]:e3.second})}}if(r2&&
r2.length>1){let t3=r2.find(t4=>t4>e3.hour);if(t3!==void 0)return e3.with({hour:t3,minute:i2?i2[0]:e3.minute,second:a2?a2[0]:
e3.second})}return t2===`HOURLY`&&r2&&r2.length>1?this.applyTimeOverride(e3.add({days:1})):this.applyTimeOverride(this.rawAdvance(
e3))}applyTimeOverride(e3){let{freq:t2,byHour:n2,byMinute:r2,bySecond:i2}=this.opts,a2=t2===`DAILY`||t2===`WEEKLY`||t2===
`MONTHLY`||t2===`YEARLY`;if(!n2&&!r2&&!i2&&!a2)return e3;let o2={};return n2?o2.hour=n2[0]:a2&&(o2.hour=this.originalDtstart.
hour),r2?o2.minute=r2[0]:a2&&(o2.minute=this.originalDtstart.minute),i2?o2.second=i2[0]:a2&&(o2.second=this.originalDtstart.
second),a2&&o2.hour===e3.hour&&o2.minute===e3.minute&&o2.second===e3.second?e3:e3.with(o2)}computeFirst(){let e3=this.originalDtstart;
if(this.opts.byWeekNo?.length&&[`DAILY`,`HOURLY`,`MINUTELY`,`SECONDLY`].includes(this.opts.freq)){let t3=this.opts.byWeekNo[0],
n3=e3.year;for(;n3<=e3.year+10;){let r3=e3.with({year:n3,month:1,day:1}),i2=e3.with({year:n3,month:12,day:31}),a2=false;
if(t3>0){let e4=52;(r3.dayOfWeek===4||i2.dayOfWeek===4)&&(e4=53),a2=t3<=e4}else{let e4=52;(r3.dayOfWeek===4||i2.dayOfWeek===
4)&&(e4=53),a2=-t3<=e4}if(a2){let n4=r3.add({days:(4-r3.dayOfWeek+7)%7}),a3;if(t3>0)a3=n4.subtract({days:3}).add({weeks:t3-
1});else{let e4=r3.dayOfWeek===4||i2.dayOfWeek===4?53:52;a3=n4.subtract({days:3}).add({weeks:e4+t3})}if(this.opts.byDay?.
length){let t4=X,n5=this.opts.byDay.map(e4=>qd(e4)).filter(e4=>e4!==null).map(e4=>t4[e4]).filter(Boolean);if(n5.length){
let t5=n5.map(e4=>{let t6=(e4-a3.dayOfWeek+7)%7;return a3.add({days:t6})}).sort((e4,t6)=>Y.ZonedDateTime.compare(e4,t6))[0];
if(t5&&Y.ZonedDateTime.compare(t5,this.originalDtstart)>=0){e3=t5;break}}}else if(Y.ZonedDateTime.compare(a3,this.originalDtstart)>=
0){e3=a3;break}}n3++}}if(this.opts.byDay?.length&&!this.opts.byWeekNo){let t3=X;if(this.opts.byDay.some(e4=>/^[+-]?\d/.test(
e4))&&this.opts.byMonth&&(this.opts.freq===`MINUTELY`||this.opts.freq===`SECONDLY`)){let t4=this.opts.byMonth.filter(e4=>typeof e4==
`number`).sort((e4,t5)=>e4-t5),n3=false;for(let r3=e3.year;r3<=e3.year+10&&!n3;r3++)for(let i2 of t4){if(r3===e3.year&&i2<
e3.month)continue;let t5=e3.with({year:r3,month:i2,day:1}),a2=this.generateMonthlyOccurrences(t5);for(let t6 of a2)if(Y.
ZonedDateTime.compare(t6,e3)>=0){e3=t6.toPlainDate().equals(e3.toPlainDate())?t6:this.applyTimeOverride(t6.with({hour:0,
minute:0,second:0})),n3=true;break}if(n3)break}}else{let n3,r3=this.opts.byDay.map(e4=>qd(e4)).filter(e4=>e4!==null);if(this.
opts.freq===`DAILY`&&r3.length===this.opts.byDay.length){let i2=this.findFirstMatchingDailyStep(e3.dayOfWeek,this.opts.interval,
r3.map(e4=>t3[e4]));n3=i2===null?[]:[i2*this.opts.interval]}else n3=r3.map(n4=>(t3[n4]-e3.dayOfWeek+7)%7);n3.length&&(e3=
e3.add({days:Math.min(...n3)}))}}let{byHour:t2,byMinute:n2,bySecond:r2}=this.opts;if(this.opts.freq===`HOURLY`&&!t2&&Y.ZonedDateTime.
compare(e3.with({hour:0,minute:0,second:0,microsecond:0,nanosecond:0}),this.originalDtstart)>0&&(e3=e3.with({hour:0,minute:0,
second:0,microsecond:0,nanosecond:0})),this.opts.freq===`MINUTELY`&&!n2&&Y.ZonedDateTime.compare(e3.with({hour:0,minute:0,
second:0,microsecond:0,nanosecond:0}),this.originalDtstart)>0&&(e3=e3.with({hour:0,minute:0,second:0,microsecond:0,nanosecond:0})),
this.opts.freq===`SECONDLY`&&this.opts.byWeekNo?.length&&!r2&&Y.ZonedDateTime.compare(e3.with({hour:0,minute:0,second:0,
microsecond:0,nanosecond:0}),this.originalDtstart)>0&&(e3=e3.with({hour:0,minute:0,second:0,microsecond:0,nanosecond:0})),
t2||n2||r2){let t3=this.expandByTime(e3);for(let e4 of t3)if(Y.ZonedDateTime.compare(e4,this.originalDtstart)>=0)return e4;
e3=this.applyTimeOverride(this.rawAdvance(e3))}return e3}matchesByDay(e3){let{byDay:t2,freq:n2}=this.opts;if(!t2)return true;
if(!this.hasOrdinalByDay)return this.simpleByDayIsoDays?.includes(e3.dayOfWeek)??false;for(let t3 of this.parsedByDayTokens??
[]){if(n2===`DAILY`&&e3.dayOfWeek===t3.isoDay)return true;if(t3.ord===0){if(e3.dayOfWeek===t3.isoDay)return true;continue}
let r2=e3.month,i2=e3.with({day:1}),a2=[];for(;i2.month===r2;)i2.dayOfWeek===t3.isoDay&&a2.push(i2.day),i2=i2.add({days:1});
if(a2[t3.ord>0?t3.ord-1:a2.length+t3.ord]===e3.day)return true}return false}matchesByMonth(e3){let{byMonth:t2}=this.opts;
if(!t2)return true;let n2=t2.filter(e4=>typeof e4==`number`);return n2.length===0?true:n2.includes(e3.month)}matchesNumericConstraint(e3,t2,n2){
return t2.some(t3=>e3===(t3>0?t3:n2+t3+1))}matchesByMonthDay(e3){let{byMonthDay:t2}=this.opts;if(!t2)return true;let n2=e3.
with({day:1}).add({months:1}).subtract({days:1}).day;return this.matchesNumericConstraint(e3.day,t2,n2)}matchesByHour(e3){
return!this.opts.byHour||this.opts.byHour.includes(e3.hour)}matchesByMinute(e3){let{byMinute:t2}=this.opts;return t2?t2.
includes(e3.minute):true}matchesBySecond(e3){let{bySecond:t2}=this.opts;return t2?t2.includes(e3.second):true}matchesAll(e3){
return this.matchesByMonth(e3)&&this.matchesByWeekNo(e3)&&this.matchesByYearDay(e3)&&this.matchesByMonthDay(e3)&&this.matchesByDay(
e3)&&this.matchesByHour(e3)&&this.matchesByMinute(e3)&&this.matchesBySecond(e3)}matchesByYearDay(e3){let{byYearDay:t2}=this.
opts;if(!t2)return true;let n2=e3.dayOfYear,r2=this.lastByYearDay(e3);return this.matchesNumericConstraint(n2,t2,r2)}lastByYearDay(e3){
return e3.with({month:12,day:31}).dayOfYear}getIsoWeekInfo(e3){let t2=`toPlainDate`in e3?e3.toPlainDate():e3,n2=t2.add({
days:4-t2.dayOfWeek}),r2=n2.year,i2=t2.with({year:r2,month:1,day:1}),a2=i2.add({days:(4-i2.dayOfWeek+7)%7}),o2=n2.since(
a2).days;return{week:Math.floor(o2/7)+1,year:r2}}matchesByWeekNo(e3){let{byWeekNo:t2}=this.opts;if(!t2)return true;let{week:n2,
year:r2}=this.getIsoWeekInfo(e3),i2=e3.with({year:r2,month:1,day:1}),a2=i2.inLeapYear,o2=i2.dayOfWeek===4||a2&&i2.dayOfWeek===
3?53:52;return t2.some(e4=>e4>0?n2===e4:n2===o2+e4+1)}hasPossibleYearDayWeekNoCombination(){if(!this.opts.byYearDay||!this.
opts.byWeekNo)return true;let e3=this.originalDtstart.with({year:2e3,month:1,day:1,hour:0,minute:0,second:0,millisecond:0,
microsecond:0,nanosecond:0});for(let t2=0;t2<400;t2++){let t3=e3.daysInYear;for(let n2 of this.opts.byYearDay){let r2=n2>
0?n2:t3+n2+1;if(r2>=1&&r2<=t3&&this.matchesByWeekNo(e3.add({days:r2-1})))return true}e3=e3.add({years:1})}return false}options(){
let{dtstart:e3,until:t2,rDate:n2,exDate:r2,temporal:i2,...a2}=this.cloneOptions();return{...a2,...this.outputTemporal?{temporal:this.
outputTemporal}:{},dtstart:this.toPublicDate(e3),until:t2?this.toPublicDate(t2):void 0,rDate:n2?this.toPublicDates(n2):void 0,
exDate:r2?this.toPublicDates(r2):void 0}}cloneOptions(){let{byHour:e3,byMinute:t2,bySecond:n2,byDay:r2,byMonth:i2,byMonthDay:a2,
byYearDay:o2,byWeekNo:s2,bySetPos:c2,rDate:l2,exDate:u2,...d2}=this.opts;return{...d2,byHour:e3?[...e3]:void 0,byMinute:t2?
[...t2]:void 0,bySecond:n2?[...n2]:void 0,byDay:r2?[...r2]:void 0,byMonth:i2?[...i2]:void 0,byMonthDay:a2?[...a2]:void 0,
byYearDay:o2?[...o2]:void 0,byWeekNo:s2?[...s2]:void 0,bySetPos:c2?[...c2]:void 0,rDate:l2?[...l2]:void 0,exDate:u2?[...u2]:
void 0}}cloneUpdateOptions(e3){let t2={};return Object.prototype.hasOwnProperty.call(e3,`byHour`)&&(t2.byHour=Array.isArray(
e3.byHour)?[...e3.byHour]:e3.byHour),Object.prototype.hasOwnProperty.call(e3,`byMinute`)&&(t2.byMinute=Array.isArray(e3.
byMinute)?[...e3.byMinute]:e3.byMinute),Object.prototype.hasOwnProperty.call(e3,`bySecond`)&&(t2.bySecond=Array.isArray(
e3.bySecond)?[...e3.bySecond]:e3.bySecond),Object.prototype.hasOwnProperty.call(e3,`byDay`)&&(t2.byDay=Array.isArray(e3.
byDay)?[...e3.byDay]:e3.byDay),Object.prototype.hasOwnProperty.call(e3,`byMonth`)&&(t2.byMonth=Array.isArray(e3.byMonth)?
[...e3.byMonth]:e3.byMonth),Object.prototype.hasOwnProperty.call(e3,`byMonthDay`)&&(t2.byMonthDay=Array.isArray(e3.byMonthDay)?
[...e3.byMonthDay]:e3.byMonthDay),Object.prototype.hasOwnProperty.call(e3,`byYearDay`)&&(t2.byYearDay=Array.isArray(e3.byYearDay)?
[...e3.byYearDay]:e3.byYearDay),Object.prototype.hasOwnProperty.call(e3,`byWeekNo`)&&(t2.byWeekNo=Array.isArray(e3.byWeekNo)?
[...e3.byWeekNo]:e3.byWeekNo),Object.prototype.hasOwnProperty.call(e3,`bySetPos`)&&(t2.bySetPos=Array.isArray(e3.bySetPos)?
[...e3.bySetPos]:e3.bySetPos),Object.prototype.hasOwnProperty.call(e3,`rDate`)&&(t2.rDate=Array.isArray(e3.rDate)?[...e3.
rDate]:e3.rDate),Object.prototype.hasOwnProperty.call(e3,`exDate`)&&(t2.exDate=Array.isArray(e3.exDate)?[...e3.exDate]:e3.
exDate),t2}with(t2){return new e2({...this.cloneOptions(),...t2,...this.cloneUpdateOptions(t2),tzid:t2.tzid??this.opts.tzid,
dtstart:t2.dtstart??this.opts.dtstart})}addDtstartIfNeeded(e3,t2){if(this.includeDtstart&&!this.matchesAll(this.originalDtstart)){
if(t2&&this.isExcluded(this.originalDtstart))return true;if(t2&&!t2(this.originalDtstart,e3.length)||(e3.push(this.originalDtstart),
this.shouldBreakForCountLimit(e3.length)))return false}return true}canUseUtcLinearFastPath(e3){if(e3||!this.canUseUtcCalendarFastPaths()||
this.opts.rscale||this.opts.byMonth||this.opts.byMonthDay||this.opts.byYearDay||this.opts.byWeekNo||this.opts.bySetPos)return false;
switch(this.opts.freq){case`DAILY`:return!this.hasOrdinalByDay&&(!this.opts.byHour||this.canUseEpochMillisecondsPrecisionFlag)&&
(!this.opts.byMinute||this.canUseEpochMillisecondsPrecisionFlag)&&(!this.opts.bySecond||this.canUseEpochMillisecondsPrecisionFlag);case`\
HOURLY`:case`MINUTELY`:case`SECONDLY`:return!this.opts.byDay&&!this.opts.byHour&&!this.opts.byMinute&&!this.opts.bySecond;default:
return false}}canUseUtcWeeklyFastPath(e3){return!e3&&this.canUseUtcCalendarFastPaths()&&this.opts.freq===`WEEKLY`&&!this.
opts.rscale&&!this.opts.byMonth&&!this.opts.byMonthDay&&!this.opts.byYearDay&&!this.opts.byWeekNo&&!this.opts.bySetPos&&
(!this.opts.byHour||this.canUseEpochMillisecondsPrecisionFlag)&&(!this.opts.byMinute||this.canUseEpochMillisecondsPrecisionFlag)&&
(!this.opts.bySecond||this.canUseEpochMillisecondsPrecisionFlag)&&!this.hasOrdinalByDay}canUseUtcMonthlyFastPath(e3){return!e3&&
this.canUseUtcCalendarFastPaths()&&this.opts.freq===`MONTHLY`&&!this.opts.rscale&&!this.opts.byYearDay&&!this.opts.byWeekNo&&
this.canUseEpochMillisecondsPrecisionFlag&&this.hasSingleExpandedTimeSlot()&&!!(this.opts.byDay||this.opts.byMonthDay)}utcZdtFromEpochNanoseconds(e3){
return new Y.ZonedDateTime(e3,`UTC`,this.originalDtstart.calendarId)}utcZdtFromEpochMilliseconds(e3){return this.utcZdtFromEpochNanoseconds(
BigInt(e3)*Q)}canUseUtcCalendarFastPaths(){return this.maxCandidateEvaluations===1e6&&this.tzid===`UTC`&&this.originalDtstart.
timeZoneId===this.tzid&&[`iso8601`,`gregory`].includes(this.originalDtstart.calendarId)}canUseUtcEpochMillisecondsPrecision(){
return this.canUseEpochMillisecondsPrecisionFlag}buildTimeSlotOffsetsMs(){if(!this.canUseEpochMillisecondsPrecisionFlag)
return;let e3=this.opts.byHour??[this.originalDtstart.hour],t2=this.opts.byMinute??[this.originalDtstart.minute],n2=this.
opts.bySecond??[this.originalDtstart.second],r2=this.originalDtstart.millisecond,i2=[];for(let a2 of e3)for(let e4 of t2)
for(let t3 of n2)i2.push(((a2*60+e4)*60+t3)*Cd+r2);return i2}createNumericQueryPlan(e3,t2,n2,r2){let i2=n2(0),a2=n2(t2-1);
if(!i2||!a2||!Ud(i2.epochMilliseconds)||!Ud(a2.epochMilliseconds)||i2.epochMilliseconds>a2.epochMilliseconds)return null;
let o2=(e4,t3,i3)=>{if(r2)return Math.max(0,Math.min(i3,r2(e4,t3)));let a3=0,o3=i3;for(;a3<o3;){let r3=a3+Math.floor((o3-
a3)/2),i4=n2(r3);if(!i4){o3=r3;continue}let s3=BigInt(i4.epochMilliseconds)*Q;(t3?s3>e4:s3>=e4)?o3=r3:a3=r3+1}return a3},
s2=this.opts.until?.epochNanoseconds,c2=s2===void 0?t2:o2(s2,true,t2);return{kind:e3,count:c2,maximumCount:t2,select:e4=>!Number.
isSafeInteger(e4)||e4<0||e4>=t2?null:n2(e4),lowerBound:(e4,t3)=>o2(e4,t3,c2)}}buildFixedStepNumericQueryPlan(e3){let t2;
switch(this.opts.freq){case`HOURLY`:t2=Td;break;case`MINUTELY`:t2=wd;break;case`SECONDLY`:t2=Cd;break;default:return null}
if(![`UTC`,`Etc/UTC`,`Etc/GMT`].includes(this.tzid)&&!/^[-+]\d{2}:?\d{2}(?::?\d{2})?$/.test(this.tzid)&&this.opts.freq===
`HOURLY`&&this.opts.interval===1)return null;let n2=this.originalDtstart.epochMilliseconds,r2=t2*this.opts.interval;if(!Number.
isSafeInteger(r2)||r2<=0)return null;let i2=e4=>{let t3=n2+e4*r2;return Ud(t3)?{epochMilliseconds:t3,periodIndex:e4,occurrenceIndex:e4}:
null},a2=BigInt(n2)*Q,o2=BigInt(r2)*Q,s2=BigInt(e3);return this.createNumericQueryPlan(`fixed-step`,e3,i2,(t3,n3)=>{let r3=t3-
a2,i3=n3?zd(r3,o2)+1n:Bd(r3,o2);return i3<=0n?0:i3>=s2?e3:Number(i3)})}resolveNumericWallMilliseconds(e3){if(!Ud(e3))return null;
if(this.tzid===`UTC`)return e3;let t2=this.getZoneResolver().epochMsForWall(e3);return t2.pushed||!Ud(t2.epochMs)?null:t2.
epochMs}numericQueryGapHazard(e3,t2){if(this.tzid===`UTC`)return false;let n2=this.originalDtstart.epochMilliseconds;return 200*
366*Z,t2-n2>632448e7?true:this.getZoneResolver().timeOfDayMayHitGap(e3,n2-Z,t2+Z)}buildDailyNumericQueryPlan(e3){let t2=this.
opts.interval,n2=this.originalDtstart.epochMilliseconds,r2=this.tzid===`UTC`?n2:this.wallMsOf(this.originalDtstart),i2=Math.
floor(r2/Z),a2=Kd(i2),o2=Ld(this.simpleByDayIsoDays);if(!(this.opts.byHour||this.opts.byMinute||this.opts.bySecond)){let n3=r2-
i2*Z,s3=this.simpleByDayIsoDays?.length?this.findFirstMatchingDailyStep(a2,t2,this.simpleByDayIsoDays):0;if(s3===null)return null;
let c3=7/Id(t2,7),l3=[];for(let e4=0;e4<c3;e4++)Rd(o2,$(a2,(s3+e4)*t2))&&l3.push(e4);if(l3.length===0)return null;let u3=this.
createNumericQueryPlan(`daily`,e3,e4=>{let n4=Math.floor(e4/l3.length),i3=e4%l3.length,a3=n4*c3+l3[i3],o3=(s3+a3)*t2;if(!Number.
isSafeInteger(a3)||!Number.isSafeInteger(o3))return null;let u4=r2+o3*Z,d4=this.resolveNumericWallMilliseconds(u4);return d4===
null?null:{epochMilliseconds:d4,periodIndex:a3,occurrenceIndex:e4}}),d3=u3?.select(e3-1);return d3&&this.numericQueryGapHazard(
n3,d3.epochMilliseconds)?null:u3}let s2=this.timeSlotOffsetsMs;if(!s2?.length||!this.hasUniqueTimeSlotOffsets)return null;
let c2=this.simpleByDayIsoDays?.length?this.findFirstMatchingDailyStep(a2,t2,this.simpleByDayIsoDays):0;if(c2===null)return null;
let l2=c2*t2,u2=i2+l2,d2=$(a2,l2),f2=7/Id(t2,7),p2=[];if(Rd(o2,d2))for(let e4 of s2){let t3=this.resolveNumericWallMilliseconds(
u2*Z+e4);if(t3===null)return null;t3>=n2&&p2.push({epochMilliseconds:t3,periodIndex:0,occurrenceIndex:p2.length})}let m2=[];
for(let e4=0;e4<f2;e4++)if(Rd(o2,$(d2,(1+e4)*t2)))for(let t3 of s2)m2.push({periodOffset:e4,timeSlotOffset:t3});if(p2.length===
0&&m2.length===0)return null;let h2=this.createNumericQueryPlan(`daily`,e3,e4=>{if(e4<p2.length)return{...p2[e4],occurrenceIndex:e4};
if(m2.length===0)return null;let n3=e4-p2.length,r3=Math.floor(n3/m2.length),a3=m2[n3%m2.length],o3=1+r3*f2+a3.periodOffset,
s3=l2+o3*t2;if(!Number.isSafeInteger(o3)||!Number.isSafeInteger(s3))return null;let c3=(i2+s3)*Z+a3.timeSlotOffset,u3=this.
resolveNumericWallMilliseconds(c3);return u3===null?null:{epochMilliseconds:u3,periodIndex:o3,occurrenceIndex:e4}}),g2=h2?.
select(e3-1);return g2&&s2.some(e4=>this.numericQueryGapHazard(e4,g2.epochMilliseconds))?null:h2}buildWeeklyNumericQueryPlan(e3){
let t2=this.timeSlotOffsetsMs;if(!t2?.length||!this.hasUniqueTimeSlotOffsets)return null;let n2=this.originalDtstart.epochMilliseconds,
r2=this.tzid===`UTC`?n2:this.wallMsOf(this.originalDtstart),i2=Math.floor(r2/Z),a2=Kd(i2),o2=X[qd(this.opts.wkst||`MO`)??
`MO`]??1,s2=(this.opts.byDay?[...this.allByDayIsoDays??[]]:[a2]).map(e4=>(e4-o2+7)%7).sort((e4,t3)=>e4-t3);if(s2.length===
0)return null;let c2=i2-(a2-o2+7)%7,l2=s2.flatMap(e4=>t2.map(t3=>({dayOffset:e4,timeSlotOffset:t3}))),u2=[];for(let e4 of l2){
let t3=(c2+e4.dayOffset)*Z+e4.timeSlotOffset,r3=this.resolveNumericWallMilliseconds(t3);if(r3===null)return null;r3>=n2&&
u2.push({epochMilliseconds:r3,periodIndex:0,occurrenceIndex:u2.length})}let d2=this.createNumericQueryPlan(`weekly`,e3,e4=>{
if(e4<u2.length)return{...u2[e4],occurrenceIndex:e4};let t3=e4-u2.length,n3=1+Math.floor(t3/l2.length),r3=l2[t3%l2.length],
i3=n3*this.opts.interval*7;if(!Number.isSafeInteger(n3)||!Number.isSafeInteger(i3))return null;let a3=(c2+i3+r3.dayOffset)*
Z+r3.timeSlotOffset,o3=this.resolveNumericWallMilliseconds(a3);return o3===null?null:{epochMilliseconds:o3,periodIndex:n3,
occurrenceIndex:e4}}),f2=d2?.select(e3-1);return f2&&t2.some(e4=>this.numericQueryGapHazard(e4,f2.epochMilliseconds))?null:
d2}buildMonthlyNumericQueryPlan(e3){let t2=this.opts.interval,n2=this.timeSlotOffsetsMs;if(!n2?.length||!this.hasUniqueTimeSlotOffsets||
this.opts.byMonth?.some(e4=>typeof e4!=`number`)||this.opts.bySetPos&&new Set(this.opts.bySetPos).size!==this.opts.bySetPos.
length)return null;let r2=this.originalDtstart.epochMilliseconds,i2=this.originalDtstart.year*12+(this.originalDtstart.month-
1),a2=e4=>{let n3=e4*t2,r3=i2+n3;if(!Number.isSafeInteger(n3)||!Number.isSafeInteger(r3))return null;let{year:a3,month:o3}=this.
monthIndexToYearMonth(r3);return this.generateMonthlyOccurrenceEpochsUtc(a3,o3)},o2=a2(0);if(!o2)return null;let s2=[];for(let e4 of o2){
let t3=this.resolveNumericWallMilliseconds(e4);if(t3===null)return null;t3>=r2&&s2.push({epochMilliseconds:t3,periodIndex:0,
occurrenceIndex:s2.length})}let c2=4800/Id(t2,4800),l2=Math.max(0,e3-s2.length),u2=[0];for(let e4=0;e4<c2&&u2.at(-1)<l2;e4++){
let t3=a2(1+e4);if(!t3)return null;u2.push(u2[e4]+t3.length)}let d2=u2.length-1===c2,f2=u2.at(-1);if(f2===0&&s2.length<e3)
return null;let p2=this.createNumericQueryPlan(`monthly`,e3,e4=>{if(e4<s2.length)return{...s2[e4],occurrenceIndex:e4};if(f2===
0)return null;let t3=e4-s2.length,n3=d2?Math.floor(t3/f2):0,r3=d2?t3%f2:t3;if(r3>=f2)return null;let i3=1,o3=u2.length-1;
for(;i3<o3;){let e5=i3+Math.floor((o3-i3)/2);u2[e5]>r3?o3=e5:i3=e5+1}let l3=i3-1,p3=1+n3*c2+l3;if(!Number.isSafeInteger(
p3))return null;let m3=a2(p3);if(!m3)return null;let h2=m3[r3-u2[l3]];if(h2===void 0)return null;let g2=this.resolveNumericWallMilliseconds(
h2);return g2===null?null:{epochMilliseconds:g2,periodIndex:p3,occurrenceIndex:e4}}),m2=p2?.select(e3-1);return m2&&n2.some(
e4=>this.numericQueryGapHazard(e4,m2.epochMilliseconds))?null:p2}generateYearlyOccurrenceDaysUtc(e3){let t2=!!(this.opts.
byDay||this.opts.byMonthDay);this.numericByMonths?.length;let n2=this.numericByMonths?.length?[...this.numericByMonths].
sort((e4,t3)=>e4-t3):t2?[1,2,3,4,5,6,7,8,9,10,11,12]:[this.originalDtstart.month],r2=[];if(this.hasOrdinalByDay&&!this.numericByMonths?.
length){let t3=this.isGregorianLeapYear(e3)?366:365,n3=this.gregorianIsoDayOfWeek(e3,1,1),i2=$(n3,t3-1),a2=new Set;for(let e4 of this.
parsedByDayTokens??[]){if(e4.ord===0)continue;let r3=e4.ord>0?1+(e4.isoDay-n3+7)%7+7*(e4.ord-1):t3-(i2-e4.isoDay+7)%7+7*
(e4.ord+1);r3>=1&&r3<=t3&&a2.add(r3)}for(let t4 of[...a2].sort((e4,t5)=>e4-t5)){let n4=t4,i3=1;for(;n4>this.daysInGregorianMonth(
e3,i3);)n4-=this.daysInGregorianMonth(e3,i3),i3+=1;r2.push({month:i3,day:n4})}}else for(let i2 of n2){let n3;n3=t2?this.
generateMonthlyOccurrenceDaysUtc(e3,i2):this.originalDtstart.day<=this.daysInGregorianMonth(e3,i2)?[this.originalDtstart.
day]:[];for(let e4 of n3)r2.push({month:i2,day:e4})}return r2.map(({month:t3,day:n3})=>Wd(e3,t3,n3))}generateYearlyOccurrenceEpochsUtc(e3,t2=true){
let n2=this.timeSlotOffsetsMs;if(!n2?.length)return[];let r2=[];for(let t3 of this.generateYearlyOccurrenceDaysUtc(e3)){
let e4=t3*Z;if(!Ud(e4))return[];for(let t4 of n2)r2.push(e4+t4)}if(r2.sort((e4,t3)=>e4-t3),!t2||!this.opts.bySetPos?.length)
return r2;let i2=this.applyBySetPosToSortedList(r2).sort((e4,t3)=>e4-t3);return i2.filter((e4,t3)=>t3===0||e4!==i2[t3-1])}yearlyCandidateEvaluationCountUtc(e3){
let t2=this.generateYearlyOccurrenceEpochsUtc(e3,false).length,n2=this.opts.bySetPos;if(!n2?.length)return t2;let r2=0,i2=0;
for(let e4 of n2)e4>0?r2=Math.max(r2,e4):i2=Math.max(i2,-e4);return Math.min(t2,r2)+Math.min(t2,i2)}buildYearlyNumericQueryPlan(e3){
let t2=this.opts.interval,n2=this.timeSlotOffsetsMs;if(!n2?.length||!this.hasUniqueTimeSlotOffsets||this.opts.byMonth?.some(
e4=>typeof e4!=`number`)||this.opts.byYearDay||this.opts.byWeekNo)return null;let r2=!!(this.opts.byDay||this.opts.byMonthDay),
i2=!!this.opts.byMonth&&!r2;if(!this.opts.byMonth&&!r2&&n2.length!==1||i2&&(n2.length!==1||this.opts.bySetPos)||this.hasOrdinalByDay&&
!this.numericByMonths?.length&&(this.opts.byMonthDay||this.parsedByDayTokens?.some(e4=>e4.ord===0)))return null;let a2=this.
originalDtstart.epochMilliseconds,o2=this.originalDtstart.year,s2=e4=>{let n3=e4*t2,r3=o2+n3;return!Number.isSafeInteger(
n3)||!Number.isSafeInteger(r3)?null:this.generateYearlyOccurrenceEpochsUtc(r3)},c2=s2(0);if(!c2)return null;let l2=[];for(let e4 of c2){
let t3=this.resolveNumericWallMilliseconds(e4);if(t3===null)return null;t3>=a2&&l2.push({epochMilliseconds:t3,periodIndex:0,
occurrenceIndex:l2.length})}let u2=400/Id(t2,400),d2=Math.max(0,e3-l2.length),f2=[0],p2=[0];for(let e4=0;e4<u2&&f2.at(-1)<
d2;e4++){let n3=s2(1+e4);if(!n3)return null;f2.push(f2[e4]+n3.length);let r3=o2+(1+e4)*t2;p2.push(p2[e4]+this.yearlyCandidateEvaluationCountUtc(
r3))}let m2=f2.length-1===u2,h2=f2.at(-1);if(h2===0&&l2.length<e3)return null;if(r2){let e4=this.yearlyCandidateEvaluationCountUtc(
o2);if(m2&&d2>0){let t3=Math.floor(d2/h2),n3=d2%h2;if(e4+=t3*p2.at(-1),n3>0){let t4=1;for(;f2[t4]<n3;)t4+=1;e4+=p2[t4]}}else
e4+=p2.at(-1);if(e4>this.maxCandidateEvaluations)return null}let g2=this.createNumericQueryPlan(`yearly`,e3,e4=>{if(e4<l2.
length)return{...l2[e4],occurrenceIndex:e4};if(h2===0)return null;let t3=e4-l2.length,n3=m2?Math.floor(t3/h2):0,r3=m2?t3%
h2:t3;if(r3>=h2)return null;let i3=1,a3=f2.length-1;for(;i3<a3;){let e5=i3+Math.floor((a3-i3)/2);f2[e5]>r3?a3=e5:i3=e5+1}
let o3=i3-1,c3=1+n3*u2+o3;if(!Number.isSafeInteger(c3))return null;let d3=s2(c3);if(!d3)return null;let p3=d3[r3-f2[o3]];
if(p3===void 0)return null;let g3=this.resolveNumericWallMilliseconds(p3);return g3===null?null:{epochMilliseconds:g3,periodIndex:c3,
occurrenceIndex:e4}}),_2=g2?.select(e3-1);return _2&&n2.some(e4=>this.numericQueryGapHazard(e4,_2.epochMilliseconds))?null:
g2}buildNumericQueryPlan(){let e3=this.opts.count,t2=this.opts.interval;if(e3===void 0||!Number.isSafeInteger(e3)||e3<=0||
!Number.isSafeInteger(t2)||t2<=0||!Number.isSafeInteger(this.maxIterations)||this.maxIterations<=0||this.maxCandidateEvaluations!==
1e6||this.includeDtstart||this.opts.rscale!==void 0||!this.canUseEpochMillisecondsPrecisionFlag||this.originalDtstart.timeZoneId!==
this.tzid||![`iso8601`,`gregory`].includes(this.originalDtstart.calendarId))return null;let n2=!!(this.opts.byMonth||this.
opts.byMonthDay||this.opts.byYearDay||this.opts.byWeekNo||this.opts.bySetPos);switch(this.opts.freq){case`HOURLY`:case`M\
INUTELY`:case`SECONDLY`:return n2||this.opts.byDay||this.opts.byHour||this.opts.byMinute||this.opts.bySecond?null:this.buildFixedStepNumericQueryPlan(
e3);case`DAILY`:return n2||this.hasOrdinalByDay||!this.hasUniqueTimeSlotOffsets?null:this.buildDailyNumericQueryPlan(e3);case`\
WEEKLY`:return n2||this.hasOrdinalByDay||!this.hasUniqueTimeSlotOffsets?null:this.buildWeeklyNumericQueryPlan(e3);case`M\
ONTHLY`:return this.opts.byYearDay||this.opts.byWeekNo||!(this.opts.byDay||this.opts.byMonthDay)||!this.hasUniqueTimeSlotOffsets?
null:this.buildMonthlyNumericQueryPlan(e3);case`YEARLY`:return this.buildYearlyNumericQueryPlan(e3);default:return null}}getNumericQueryPlan(){
if(this.numericQueryPlanCache!==void 0)return this.numericQueryPlanCache;try{this.numericQueryPlanCache=this.buildNumericQueryPlan(),
this.numericQueryPlanCache&&this.tzid!==`UTC`&&this.resolveNumericWallMilliseconds(this.wallMsOf(this.originalDtstart))!==
this.originalDtstart.epochMilliseconds&&(this.numericQueryPlanCache=null)}catch{this.numericQueryPlanCache=null}return this.
numericQueryPlanCache}buildPeriodQueryPlan(){let e3=this.opts.interval;if(this.opts.count!==void 0||!Number.isSafeInteger(
e3)||e3<=0||!Number.isSafeInteger(this.maxIterations)||this.maxIterations<=32||this.maxCandidateEvaluations!==1e6||this.
includeDtstart||this.opts.rscale!==void 0||!this.canUseEpochMillisecondsPrecisionFlag||this.originalDtstart.timeZoneId!==
this.tzid||![`iso8601`,`gregory`].includes(this.originalDtstart.calendarId))return null;let{freq:t2,byDay:n2,byMonth:r2,
byMonthDay:i2,byYearDay:a2,byWeekNo:o2,bySetPos:s2}=this.opts,c2=!!(r2||i2||a2||o2||s2),l2=!!(this.opts.byHour||this.opts.
byMinute||this.opts.bySecond),u2=this.tzid===`UTC`?this.originalDtstart.epochMilliseconds:this.wallMsOf(this.originalDtstart),
d2=Math.floor(u2/Z),f2=this.timeSlotOffsetsMs;switch(t2){case`HOURLY`:case`MINUTELY`:case`SECONDLY`:{if(c2||n2||l2||![`U\
TC`,`Etc/UTC`,`Etc/GMT`].includes(this.tzid)&&!/^[-+]\d{2}:?\d{2}(?::?\d{2})?$/.test(this.tzid)&&t2===`HOURLY`&&e3===1)return null;
let r3=(t2===`HOURLY`?Td:t2===`MINUTELY`?wd:Cd)*e3;return Number.isSafeInteger(r3)?{stepMilliseconds:r3,candidatesPerPeriod:1,
periodOfWall:()=>0,wallsForPeriod:()=>null}:null}case`DAILY`:{if(c2||this.hasOrdinalByDay||!f2?.length||!this.hasUniqueTimeSlotOffsets)
return null;let t3=this.simpleByDayIsoDays;if(t3?.length&&this.findFirstMatchingDailyStep(Kd(d2),e3,t3)===null)return null;
let n3=Ld(t3);return{candidatesPerPeriod:f2.length,periodOfWall:t4=>Math.floor((Math.floor(t4/Z)-d2)/e3),wallsForPeriod:t4=>{
let r3=d2+t4*e3;return Number.isSafeInteger(r3)?Rd(n3,Kd(r3))?f2.map(e4=>r3*Z+e4):[]:null}}}case`WEEKLY`:{if(c2||this.hasOrdinalByDay||
!f2?.length||!this.hasUniqueTimeSlotOffsets)return null;let t3=Kd(d2),r3=X[qd(this.opts.wkst||`MO`)??`MO`]??1,i3=(n2?[...this.
allByDayIsoDays??[]]:[t3]).map(e4=>(e4-r3+7)%7).sort((e4,t4)=>e4-t4);if(i3.length===0)return null;let a3=i3.flatMap(e4=>f2.
map(t4=>e4*Z+t4)),o3=d2-(t3-r3+7)%7,s3=7*e3;return{candidatesPerPeriod:a3.length,periodOfWall:e4=>Math.floor((Math.floor(
e4/Z)-o3)/s3),wallsForPeriod:e4=>{let t4=o3+e4*s3;return Number.isSafeInteger(t4)?a3.map(e5=>t4*Z+e5):null}}}case`MONTHL\
Y`:{if(a2||o2||!f2?.length||!this.hasUniqueTimeSlotOffsets||r2?.some(e4=>typeof e4!=`number`))return null;let t3=this.originalDtstart.
year*12+(this.originalDtstart.month-1),n3=n4=>{let r3=t3+n4*e3;if(!Number.isSafeInteger(r3))return null;let i3=this.monthIndexToYearMonth(
r3);return Ud(Wd(i3.year,i3.month,1)*Z)?i3:null};return{candidatesPerPeriod:62*f2.length,periodOfWall:n4=>{let{year:r3,month:i3}=Gd(
Math.floor(n4/Z));return Math.floor((r3*12+i3-1-t3)/e3)},wallsForPeriod:e4=>{let t4=n3(e4);return t4&&this.generateMonthlyOccurrenceEpochsUtc(
t4.year,t4.month)},rankedPeriodWallSpan:s2?e4=>{let t4=n3(e4);if(!t4)return null;let r3=Wd(t4.year,t4.month,1)*Z;return[
r3,r3+this.daysInGregorianMonth(t4.year,t4.month)*Z]}:void 0}}case`YEARLY`:{if(a2||o2||!f2?.length||!this.hasUniqueTimeSlotOffsets||
r2?.some(e4=>typeof e4!=`number`)||!(n2||i2)&&(f2.length!==1||r2&&s2)||this.hasOrdinalByDay&&!this.numericByMonths?.length&&
(i2||this.parsedByDayTokens?.some(e4=>e4.ord===0||Math.abs(e4.ord)>52)))return null;let t3=this.originalDtstart.year,c3=n3=>{
let r3=t3+n3*e3;return Number.isSafeInteger(r3)&&r3>-271821&&r3<275760?r3:null};return{candidatesPerPeriod:2*366*f2.length,
periodOfWall:n3=>Math.floor((Gd(Math.floor(n3/Z)).year-t3)/e3),wallsForPeriod:e4=>{let t4=c3(e4);return t4===null?null:this.
generateYearlyOccurrenceEpochsUtc(t4)},rankedPeriodWallSpan:s2?e4=>{let t4=c3(e4);return t4===null?null:[Wd(t4,1,1)*Z,Wd(
t4+1,1,1)*Z]}:void 0}}}return null}getPeriodQueryPlan(){if(this.periodQueryPlanCache!==void 0)return this.periodQueryPlanCache;
try{this.periodQueryPlanCache=this.buildPeriodQueryPlan(),this.periodQueryPlanCache&&this.tzid!==`UTC`&&this.resolveNumericWallMilliseconds(
this.wallMsOf(this.originalDtstart))!==this.originalDtstart.epochMilliseconds&&(this.periodQueryPlanCache=null)}catch{this.
periodQueryPlanCache=null}return this.periodQueryPlanCache}findFirstMatchingDailyStep(e3,t2,n2){let r2=e3;for(let e4=0;e4<
7;e4++){if(n2.includes(r2))return e4;r2=$(r2,t2)}return null}allUtcFastPath(e3){if(this.canUseUtcLinearFastPath(e3))switch(this.
opts.freq){case`DAILY`:return this.opts.byHour||this.opts.byMinute||this.opts.bySecond?this.hasUniqueTimeSlotOffsets?this.
_allUtcDailyExpanded():null:this._allUtcDailySimple();case`HOURLY`:return this._allUtcFixedStepSimple(jd*BigInt(this.opts.
interval));case`MINUTELY`:return this._allUtcFixedStepSimple(Ad*BigInt(this.opts.interval));case`SECONDLY`:return this._allUtcFixedStepSimple(
kd*BigInt(this.opts.interval))}return this.canUseUtcMonthlyFastPath(e3)?this._allUtcMonthlyByDayOrMonthDay():this.canUseUtcWeeklyFastPath(
e3)?this.opts.byHour||this.opts.byMinute||this.opts.bySecond?this.hasUniqueTimeSlotOffsets?this._allUtcWeeklyExpanded():
null:this._allUtcWeeklySimple():null}_allUtcFixedStepSimple(e3){let t2=[];if(!this.addDtstartIfNeeded(t2))return t2;let n2=0;
if(this.canUseUtcEpochMillisecondsPrecision()){let r3=this.originalDtstart.epochMilliseconds,i3=Number(e3/Q),a2=this.opts.
until?.epochMilliseconds;for(;;){if(++n2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exce\
eded in all()`);if(a2!==void 0&&r3>a2||(t2.push(this.utcZdtFromEpochMilliseconds(r3)),this.shouldBreakForCountLimit(t2.length)))
break;r3+=i3}return t2}let r2=this.originalDtstart.epochNanoseconds,i2=this.opts.until?.epochNanoseconds;for(;;){if(++n2>
this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);if(i2!==void 0&&r2>i2||(t2.
push(this.utcZdtFromEpochNanoseconds(r2)),this.shouldBreakForCountLimit(t2.length)))break;r2+=e3}return t2}_allUtcDailySimple(){
let e3=[];if(!this.addDtstartIfNeeded(e3))return e3;let t2=this.opts.interval,n2=this.simpleByDayIsoDays,r2=0;if(this.canUseUtcEpochMillisecondsPrecision()){
let i3=t2*Z,a3=this.opts.until?.epochMilliseconds,o3=this.originalDtstart.epochMilliseconds,s3=this.originalDtstart.dayOfWeek;
if(n2?.length){let r3=this.findFirstMatchingDailyStep(s3,t2,n2);if(r3===null)return e3;o3+=r3*i3,s3=$(s3,r3*t2)}for(;;){
if(++r2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);if(a3!==void 0&&o3>
a3||(!n2||n2.includes(s3))&&(e3.push(this.utcZdtFromEpochMilliseconds(o3)),this.shouldBreakForCountLimit(e3.length)))break;
o3+=i3,s3=$(s3,t2)}return e3}let i2=BigInt(t2)*Md,a2=this.opts.until?.epochNanoseconds,o2=this.originalDtstart.epochNanoseconds,
s2=this.originalDtstart.dayOfWeek;if(n2?.length){let r3=this.findFirstMatchingDailyStep(s2,t2,n2);if(r3===null)return e3;
o2+=BigInt(r3)*i2,s2=$(s2,r3*t2)}for(;;){if(++r2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}\
) exceeded in all()`);if(a2!==void 0&&o2>a2||(!n2||n2.includes(s2))&&(e3.push(this.utcZdtFromEpochNanoseconds(o2)),this.
shouldBreakForCountLimit(e3.length)))break;o2+=i2,s2=$(s2,t2)}return e3}_allUtcDailyExpanded(){let e3=[];if(!this.addDtstartIfNeeded(
e3))return e3;let t2=this.timeSlotOffsetsMs,n2=this.originalDtstart.epochMilliseconds,r2=this.opts.until?.epochMilliseconds,
i2=this.opts.interval,a2=this.simpleByDayIsoDays,o2=Math.floor(n2/Z),s2=this.originalDtstart.dayOfWeek;if(a2?.length){let t3=this.
findFirstMatchingDailyStep(s2,i2,a2);if(t3===null)return e3;let n3=t3*i2;o2+=n3,s2=$(s2,n3)}let c2=0;for(;;){if(++c2>this.
maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);if(!a2||a2.includes(s2)){let i3=o2*
Z;for(let a3 of t2){let t3=i3+a3;if(!(t3<n2)&&(r2!==void 0&&t3>r2||(e3.push(this.utcZdtFromEpochMilliseconds(t3)),this.shouldBreakForCountLimit(
e3.length))))return e3}}o2+=i2,s2=$(s2,i2)}}_allUtcWeeklySimple(){let e3=[];if(!this.addDtstartIfNeeded(e3))return e3;let t2=this.
originalDtstart,n2=X[qd(this.opts.wkst||`MO`)??`MO`]??1,r2=(this.opts.byDay?[...this.allByDayIsoDays??[]]:[t2.dayOfWeek]).
map(e4=>(e4-n2+7)%7).sort((e4,t3)=>e4-t3),i2=(t2.dayOfWeek-n2+7)%7,a2=0;if(this.canUseUtcEpochMillisecondsPrecision()){let n3=t2.
epochMilliseconds,o3=this.opts.until?.epochMilliseconds,s3=this.opts.interval*Ed,c3=n3-i2*Z;for(;;){if(++a2>this.maxIterations)
throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);for(let t3 of r2){let r3=c3+t3*Z;if(!(r3<n3)&&
(o3!==void 0&&r3>o3||(e3.push(this.utcZdtFromEpochMilliseconds(r3)),this.shouldBreakForCountLimit(e3.length))))return e3}
c3+=s3}}let o2=t2.epochNanoseconds,s2=this.opts.until?.epochNanoseconds,c2=BigInt(this.opts.interval)*Nd,l2=o2-BigInt(i2)*
Md;for(;;){if(++a2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);for(let t3 of r2){
let n3=l2+BigInt(t3)*Md;if(!(n3<o2)&&(s2!==void 0&&n3>s2||(e3.push(this.utcZdtFromEpochNanoseconds(n3)),this.shouldBreakForCountLimit(
e3.length))))return e3}l2+=c2}}_allUtcWeeklyExpanded(){let e3=[];if(!this.addDtstartIfNeeded(e3))return e3;let t2=this.originalDtstart,
n2=t2.epochMilliseconds,r2=Math.floor(n2/Z),i2=this.opts.until?.epochMilliseconds,a2=this.timeSlotOffsetsMs,o2=X[qd(this.
opts.wkst||`MO`)??`MO`]??1,s2=(this.opts.byDay?[...this.allByDayIsoDays??[]]:[t2.dayOfWeek]).map(e4=>(e4-o2+7)%7).sort((e4,t3)=>e4-
t3),c2=(t2.dayOfWeek-o2+7)%7,l2=this.opts.interval*7,u2=r2-c2,d2=0;for(;;){if(++d2>this.maxIterations)throw Error(`Maxim\
um iterations (${this.maxIterations}) exceeded in all()`);for(let t3 of s2){let r3=(u2+t3)*Z;for(let t4 of a2){let a3=r3+
t4;if(!(a3<n2)&&(i2!==void 0&&a3>i2||(e3.push(this.utcZdtFromEpochMilliseconds(a3)),this.shouldBreakForCountLimit(e3.length))))
return e3}}u2+=l2}}hasSingleExpandedTimeSlot(){if(this.timeSlotOffsetsMs)return this.timeSlotOffsetsMs.length===1;let e3=this.
opts.byHour??[this.originalDtstart.hour],t2=this.opts.byMinute??[this.originalDtstart.minute],n2=this.opts.bySecond??[this.
originalDtstart.second];return e3.length===1&&t2.length===1&&n2.length===1}buildMonthlyOccurrenceOnDay(e3,t2){let n2=e3.
day===t2?e3:e3.with({day:t2});return this.applyTimeOverride(n2)}applyBySetPosToSortedList(e3){let{bySetPos:t2}=this.opts;
if(!t2||!t2.length||e3.length===0)return e3;let n2=[],r2=e3.length;for(let i2 of t2){let t3=i2>0?i2-1:r2+i2;t3>=0&&t3<r2&&
n2.push(e3[t3])}return n2}generateMonthlyOccurrenceDays(e3){let{byDay:t2,byMonth:n2,byMonthDay:r2}=this.opts,i2=e3.day===
1?e3:e3.with({day:1});if(n2&&!n2.includes(e3.month))return[];let a2=i2.add({months:1}).subtract({days:1}).day,o2=[];if(r2&&
r2.length>0&&(o2=r2.map(e4=>e4>0?e4:a2+e4+1).filter(e4=>e4>=1&&e4<=a2),o2=[...new Set(o2)].sort((e4,t3)=>e4-t3)),!t2&&r2&&
r2.length>0)return o2;if(!t2)return[e3.day];let s2=this.parsedByDayTokens;if(!s2?.length)return[];let c2=i2.dayOfWeek,l2=(c2-
1+a2-1)%7+1,u2=new Set;for(let{ord:e4,isoDay:t3}of s2)if(e4===0){let e5=1+(t3-c2+7)%7;for(;e5<=a2;)u2.add(e5),e5+=7}else{
let n3;n3=e4>0?1+(t3-c2+7)%7+7*(e4-1):a2-(l2-t3+7)%7+7*(e4+1),n3>=1&&n3<=a2&&u2.add(n3)}let d2=[...u2].sort((e4,t3)=>e4-
t3);if(r2&&r2.length>0){if(o2.length===0)return[];let e4=new Set(o2);d2=d2.filter(t3=>e4.has(t3))}return d2}isGregorianLeapYear(e3){
return e3%4==0&&(e3%100!=0||e3%400==0)}daysInGregorianMonth(e3,t2){return t2===2&&this.isGregorianLeapYear(e3)?29:Dd[t2-
1]}gregorianIsoDayOfWeek(e3,t2,n2){let r2=e3;t2<3&&--r2;let i2=((r2+Math.floor(r2/4)-Math.floor(r2/100)+Math.floor(r2/400)+
Od[t2-1]+n2)%7+7)%7;return i2===0?7:i2}monthIndexToYearMonth(e3){let t2=Math.floor(e3/12);return{year:t2,month:e3-t2*12+
1}}generateMonthlyOccurrenceDaysUtc(e3,t2){if(this.numericByMonths&&this.numericByMonths.length>0&&!this.numericByMonths.
includes(t2))return[];let n2=this.opts.byMonthDay,r2=this.opts.byDay,i2=this.daysInGregorianMonth(e3,t2),a2=[];if(n2&&n2.
length>0&&(a2=n2.map(e4=>e4>0?e4:i2+e4+1).filter(e4=>e4>=1&&e4<=i2),a2=[...new Set(a2)].sort((e4,t3)=>e4-t3)),!r2&&n2&&n2.
length>0)return a2;if(!r2){let e4=this.originalDtstart.day;return e4>=1&&e4<=i2?[e4]:[]}let o2=this.parsedByDayTokens;if(!o2?.
length)return[];let s2=this.gregorianIsoDayOfWeek(e3,t2,1),c2=$(s2,i2-1),l2=new Set;for(let{ord:e4,isoDay:t3}of o2)if(e4===
0){let e5=1+(t3-s2+7)%7;for(;e5<=i2;)l2.add(e5),e5+=7}else{let n3;n3=e4>0?1+(t3-s2+7)%7+7*(e4-1):i2-(c2-t3+7)%7+7*(e4+1),
n3>=1&&n3<=i2&&l2.add(n3)}let u2=[...l2].sort((e4,t3)=>e4-t3);if(n2&&n2.length>0){if(a2.length===0)return[];let e4=new Set(
a2);u2=u2.filter(t3=>e4.has(t3))}return u2}generateMonthlyOccurrenceEpochsUtc(e3,t2){let n2=this.generateMonthlyOccurrenceDaysUtc(
e3,t2);if(n2.length===0)return[];let r2=Wd(e3,t2,1)*Z;if(!Ud(r2))return[];let i2=this.timeSlotOffsetsMs??[0];if(this.opts.
bySetPos&&this.opts.bySetPos.length>0){if(i2.length===1){let e5=this.applyBySetPosToSortedList(n2).sort((e6,t5)=>e6-t5),
t4=i2[0];return e5.filter((t5,n3)=>n3===0||t5!==e5[n3-1]).map(e6=>r2+(e6-1)*Z+t4)}let e4=[];for(let t4 of n2){let n3=r2+
(t4-1)*Z;for(let t5 of i2)e4.push(n3+t5)}let t3=this.applyBySetPosToSortedList(e4).sort((e5,t4)=>e5-t4);return t3.filter(
(e5,n3)=>n3===0||e5!==t3[n3-1])}let a2=[];for(let e4 of n2){let t3=r2+(e4-1)*Z;for(let e5 of i2)a2.push(t3+e5)}return a2}_allUtcMonthlyByDayOrMonthDay(){
let e3=[],t2=this.originalDtstart.epochMilliseconds,n2=this.opts.until?.epochMilliseconds,r2=0;if(!this.addDtstartIfNeeded(
e3))return e3;let i2=this.opts.until?.withTimeZone(this.tzid).withCalendar(`iso8601`),a2=i2?i2.year*12+i2.month-1:void 0,
o2=this.originalDtstart.year*12+(this.originalDtstart.month-1);for(;;){if(a2!==void 0&&o2>a2)return e3;if(++r2>this.maxIterations)
throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);let{year:i3,month:s2}=this.monthIndexToYearMonth(
o2),c2=this.generateMonthlyOccurrenceEpochsUtc(i3,s2);for(let r3 of c2)if(!(r3<t2)&&(n2!==void 0&&r3>n2||(e3.push(this.utcZdtFromEpochMilliseconds(
r3)),this.shouldBreakForCountLimit(e3.length))))return e3;o2+=this.opts.interval}}getZoneResolver(){return this.zoneResolver??=
gd(this.tzid)}zdtFromEpochMs(e3){if(sd||this.tzid===`UTC`)return new Y.ZonedDateTime(BigInt(e3)*Q,this.tzid,this.originalDtstart.
calendarId);let t2=this.emitAnchorZdt;return t2?t2.add({milliseconds:e3-t2.epochMilliseconds}):(t2=this.emitAnchorZdt=new Y.
ZonedDateTime(BigInt(e3)*Q,this.tzid,this.originalDtstart.calendarId),t2)}wallMsOf(e3){return e3.epochMilliseconds+e3.offsetNanoseconds/
1e6}canUseTzEpochFastPaths(e3){return!(e3||this.maxCandidateEvaluations!==1e6||this.tzid===`UTC`||this.originalDtstart.timeZoneId!==
this.tzid||this.opts.freq===`YEARLY`||this.opts.rscale||![`iso8601`,`gregory`].includes(this.originalDtstart.calendarId)||
!this.canUseEpochMillisecondsPrecisionFlag||this.resolveNumericWallMilliseconds(this.wallMsOf(this.originalDtstart))!==this.
originalDtstart.epochMilliseconds)}tzFastPathGapHazard(e3){let t2=this.originalDtstart.epochMilliseconds,n2;if(this.opts.
until)n2=this.opts.until.epochMilliseconds;else if(this.opts.count!==void 0){let e4=this.tzFastPathCountSpanMs(this.opts.
count);if(e4===void 0)return true;n2=t2+e4+30*Z}else return true;return 150*366*Z,n2-t2>474336e7?true:this.getZoneResolver().
timeOfDayMayHitGap(e3,t2-Z,n2+Z)}tzFastPathCountSpanMs(e3){let t2=this.opts.interval,n2=this.timeSlotOffsetsMs?.length??
1,r2=this.wallMsOf(this.originalDtstart);switch(this.opts.freq){case`DAILY`:{let i2=this.simpleByDayIsoDays,a2=i2?.length?
7/Id(t2,7):1,o2=a2;if(i2?.length){let e4=Kd(Math.floor(r2/Z));o2=0;for(let n3=0;n3<a2;n3++)i2.includes($(e4,n3*t2))&&o2++;
if(o2===0)return 0}return(Math.ceil(e3/(o2*n2))+1)*a2*t2*Z}case`WEEKLY`:{let r3=this.opts.byDay?this.allByDayIsoDays?.length??
0:1;return r3===0?0:(Math.ceil(e3/(r3*n2))+1)*t2*Ed}}}allTzEpochFastPath(e3){if(!this.canUseTzEpochFastPaths(e3))return null;
let t2=!this.opts.byMonth&&!this.opts.byMonthDay&&!this.opts.byYearDay&&!this.opts.byWeekNo&&!this.opts.bySetPos;if(t2)switch(this.
opts.freq){case`DAILY`:if(!this.hasOrdinalByDay)return this.opts.byHour||this.opts.byMinute||this.opts.bySecond?this.hasUniqueTimeSlotOffsets?
this._allTzDailyExpanded():null:this._allTzDailySimple();break;case`HOURLY`:case`MINUTELY`:case`SECONDLY`:if(!this.opts.
byDay&&!this.opts.byHour&&!this.opts.byMinute&&!this.opts.bySecond){let e4=this.opts.freq===`HOURLY`?Td:this.opts.freq===
`MINUTELY`?wd:Cd;return this._allTzFixedStepSimple(e4*this.opts.interval)}break}return this.opts.freq===`MONTHLY`&&!this.
opts.byYearDay&&!this.opts.byWeekNo&&this.hasSingleExpandedTimeSlot()&&(this.opts.byDay||this.opts.byMonthDay)?this._allTzMonthlyByDayOrMonthDay():
this.opts.freq===`WEEKLY`&&t2&&!this.hasOrdinalByDay&&this.hasUniqueTimeSlotOffsets?this.opts.byHour||this.opts.byMinute||
this.opts.bySecond?this._allTzWeeklyExpanded():this._allTzWeeklySimple():null}_allTzDailySimple(){let e3=[];if(!this.addDtstartIfNeeded(
e3))return e3;let t2=this.getZoneResolver(),n2=this.wallMsOf(this.originalDtstart),r2=Math.floor(n2/Z),i2=n2-r2*Z;if(this.
tzFastPathGapHazard(i2))return null;let a2=this.opts.interval,o2=this.simpleByDayIsoDays,s2=this.opts.until?.epochMilliseconds,
c2=Kd(r2);if(o2?.length){let t3=this.findFirstMatchingDailyStep(c2,a2,o2);if(t3===null)return e3;r2+=t3*a2,c2=$(c2,t3*a2)}
let l2=0;for(;;){if(++l2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);
if(!o2||o2.includes(c2)){let n3=t2.epochMsForWall(r2*Z+i2);if(n3.pushed)return null;if(s2!==void 0&&n3.epochMs>s2||(e3.push(
this.zdtFromEpochMs(n3.epochMs)),this.shouldBreakForCountLimit(e3.length)))break}r2+=a2,c2=$(c2,a2)}return e3}_allTzDailyExpanded(){
let e3=[];if(!this.addDtstartIfNeeded(e3))return e3;let t2=this.getZoneResolver(),n2=this.originalDtstart.epochMilliseconds,
r2=this.wallMsOf(this.originalDtstart),i2=this.timeSlotOffsetsMs;for(let e4 of i2)if(this.tzFastPathGapHazard(e4))return null;
let a2=this.opts.interval,o2=this.simpleByDayIsoDays,s2=this.opts.until?.epochMilliseconds,c2=Math.floor(r2/Z),l2=Kd(c2);
if(o2?.length){let t3=this.findFirstMatchingDailyStep(l2,a2,o2);if(t3===null)return e3;let n3=t3*a2;c2+=n3,l2=$(l2,n3)}let u2=0;
for(;;){if(++u2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);if(!o2||o2.
includes(l2)){let r3=c2*Z;for(let a3 of i2){let i3=t2.epochMsForWall(r3+a3);if(i3.pushed)return null;if(!(i3.epochMs<n2)&&
(s2!==void 0&&i3.epochMs>s2||(e3.push(this.zdtFromEpochMs(i3.epochMs)),this.shouldBreakForCountLimit(e3.length))))return e3}}
c2+=a2,l2=$(l2,a2)}}_allTzFixedStepSimple(e3){let t2=[];if(!this.addDtstartIfNeeded(t2))return t2;let n2=this.getZoneResolver(),
r2=this.opts.until?.epochMilliseconds,i2=this.opts.freq===`HOURLY`&&this.opts.interval===1,a2=e4=>{let t3=e4+n2.offsetMsAt(
e4);return Math.floor((t3%Z+Z)%Z/Td)},o2=this.originalDtstart.epochMilliseconds,s2=0;for(;;){if(++s2>this.maxIterations)
throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);if(r2!==void 0&&o2>r2||(t2.push(this.zdtFromEpochMs(
o2)),this.shouldBreakForCountLimit(t2.length)))break;let n3=o2+e3;i2&&a2(n3)===a2(o2)&&(n3+=e3),o2=n3}return t2}_allTzWeeklySimple(){
let e3=[];if(!this.addDtstartIfNeeded(e3))return e3;let t2=this.getZoneResolver(),n2=this.originalDtstart,r2=n2.epochMilliseconds,
i2=this.wallMsOf(n2),a2=Math.floor(i2/Z),o2=i2-a2*Z;if(this.tzFastPathGapHazard(o2))return null;let s2=Kd(a2),c2=X[qd(this.
opts.wkst||`MO`)??`MO`]??1,l2=(this.opts.byDay?[...this.allByDayIsoDays??[]]:[s2]).map(e4=>(e4-c2+7)%7).sort((e4,t3)=>e4-
t3),u2=(s2-c2+7)%7,d2=this.opts.until?.epochMilliseconds,f2=this.opts.interval*7,p2=a2-u2,m2=0;for(;;){if(++m2>this.maxIterations)
throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);for(let n3 of l2){let i3=t2.epochMsForWall((p2+
n3)*Z+o2);if(i3.pushed)return null;if(!(i3.epochMs<r2)&&(d2!==void 0&&i3.epochMs>d2||(e3.push(this.zdtFromEpochMs(i3.epochMs)),
this.shouldBreakForCountLimit(e3.length))))return e3}p2+=f2}}_allTzWeeklyExpanded(){let e3=[];if(!this.addDtstartIfNeeded(
e3))return e3;let t2=this.getZoneResolver(),n2=this.originalDtstart,r2=n2.epochMilliseconds,i2=this.wallMsOf(n2),a2=Math.
floor(i2/Z),o2=this.timeSlotOffsetsMs;for(let e4 of o2)if(this.tzFastPathGapHazard(e4))return null;let s2=Kd(a2),c2=X[qd(
this.opts.wkst||`MO`)??`MO`]??1,l2=(this.opts.byDay?[...this.allByDayIsoDays??[]]:[s2]).map(e4=>(e4-c2+7)%7).sort((e4,t3)=>e4-
t3),u2=(s2-c2+7)%7,d2=this.opts.until?.epochMilliseconds,f2=this.opts.interval*7,p2=a2-u2,m2=0;for(;;){if(++m2>this.maxIterations)
throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);for(let n3 of l2){let i3=(p2+n3)*Z;for(let n4 of o2){
let a3=t2.epochMsForWall(i3+n4);if(a3.pushed)return null;if(!(a3.epochMs<r2)&&(d2!==void 0&&a3.epochMs>d2||(e3.push(this.
zdtFromEpochMs(a3.epochMs)),this.shouldBreakForCountLimit(e3.length))))return e3}}p2+=f2}}_allTzMonthlyByDayOrMonthDay(){
let e3=[];if(!this.addDtstartIfNeeded(e3))return e3;let t2=this.getZoneResolver(),n2=this.originalDtstart.epochMilliseconds,
r2=this.opts.until?.epochMilliseconds,i2=this.opts.bySetPos?this.timeSlotOffsetsMs[0]:void 0,a2=this.opts.until?.withTimeZone(
this.tzid).withCalendar(`iso8601`),o2=a2?a2.year*12+a2.month-1:void 0,s2=this.originalDtstart.year*12+(this.originalDtstart.
month-1),c2=0;for(;;){if(o2!==void 0&&s2>o2)return e3;if(++c2>this.maxIterations)throw Error(`Maximum iterations (${this.
maxIterations}) exceeded in all()`);let{year:a3,month:l2}=this.monthIndexToYearMonth(s2);if(i2!==void 0){let e4=Wd(a3,l2,
1)*Z,n3=e4+this.daysInGregorianMonth(a3,l2)*Z;if(t2.timeOfDayMayHitGap(i2,e4-Z,n3+Z))return null}for(let i3 of this.generateMonthlyOccurrenceEpochsUtc(
a3,l2)){let a4=t2.epochMsForWall(i3);if(a4.pushed)return null;if(!(a4.epochMs<n2)&&(r2!==void 0&&a4.epochMs>r2||(e3.push(
this.zdtFromEpochMs(a4.epochMs)),this.shouldBreakForCountLimit(e3.length))))return e3}s2+=this.opts.interval}}processOccurrences(e3,t2,n2,r2,i2){
for(let a2 of e3)if(!this.processOccurrence(a2,t2,n2,r2,i2))return{shouldBreak:true};return{shouldBreak:false}}processOccurrence(e3,t2,n2,r2,i2,a2){
if(a2){if(a2.seenOccurrences.size===0&&t2.length>0)for(let e4 of t2)a2.seenOccurrences.add(e4.epochNanoseconds);if(a2.seenOccurrences.
has(e3.epochNanoseconds))return true;a2.seenOccurrences.add(e3.epochNanoseconds)}return Y.ZonedDateTime.compare(e3,n2)<0?
true:this.opts.until&&Y.ZonedDateTime.compare(e3,this.opts.until)>0?false:i2&&!i2(e3)||r2&&this.isExcluded(e3)?true:r2&&
!r2(e3,t2.length)?false:(t2.push(e3),!this.shouldBreakForCountLimit(t2.length))}_allMonthlyByDayOrMonthDay(e3,t2){let n2=[],
r2=this.createCandidateWorkBudget(),i2=0,a2=this.originalDtstart;if(!this.addDtstartIfNeeded(n2,e3))return this.applyCountLimitAndMergeRDates(
n2,e3);let o2=a2.toPlainDate().with({day:1});for(;;){if(++i2>this.maxIterations)throw Error(`Maximum iterations (${this.
maxIterations}) exceeded in all()`);let s2=t3=>this.processOccurrence(t3,n2,a2,e3,void 0,r2);if(!(this.visitUtcPeriodCandidates(
o2,s2,t2??a2,this.opts.until,r2)??this.visitPeriodCandidates(this.generateMonthlyDateCandidates(o2),s2,t2??a2,this.opts.
until,r2)))break;try{o2=o2.add({months:this.opts.interval})}catch{break}if(this.opts.until){let e4=this.opts.until.withTimeZone(
a2.timeZoneId).withCalendar(a2.calendarId);if(o2.year*12+o2.month>e4.year*12+e4.month)break}}return this.applyCountLimitAndMergeRDates(
n2,e3)}_allWeekly(e3,t2){let n2=[],r2=this.createCandidateWorkBudget(),i2=0,a2=this.originalDtstart;if(!this.addDtstartIfNeeded(
n2,e3))return this.applyCountLimitAndMergeRDates(n2,e3);let o2=X,s2=this.opts.byDay?[...this.allByDayIsoDays??[]]:this.opts.
byMonthDay&&this.opts.byMonthDay.length>0?[...Object.values(o2)]:[a2.dayOfWeek],c2=o2[qd(this.opts.wkst||`MO`)??`MO`]??1,
l2=(a2.dayOfWeek-c2+7)%7,u2=a2.toPlainDate().subtract({days:l2});for(;;){if(++i2>this.maxIterations)throw Error(`Maximum\
 iterations (${this.maxIterations}) exceeded in all()`);let o3=s2.map(e4=>{let t3=(e4-c2+7)%7;return u2.add({days:t3})}).
filter(e4=>this.matchesByMonth(e4)&&this.matchesByMonthDay(e4));if(!this.visitPeriodCandidates(o3,t3=>this.processOccurrence(
t3,n2,a2,e3,void 0,r2),t2??a2,this.opts.until,r2))break;try{u2=u2.add({weeks:this.opts.interval})}catch{break}if(this.opts.
until){let e4=this.opts.until.withTimeZone(a2.timeZoneId).withCalendar(a2.calendarId);if(Y.PlainDate.compare(u2,e4.toPlainDate())>
0)break}}return this.applyCountLimitAndMergeRDates(n2,e3)}_allYearlyComplex(e3,t2){let n2=[],r2=this.createCandidateWorkBudget(),
i2=0,a2=this.originalDtstart;if(!this.addDtstartIfNeeded(n2,e3)||this.opts.until&&Y.ZonedDateTime.compare(this.opts.until,
a2)<0)return this.applyCountLimitAndMergeRDates(n2,e3);let o2=a2.toPlainDate().with({month:1,day:1}),s2=this.opts.until?
this.opts.until.withTimeZone(a2.timeZoneId).withCalendar(a2.calendarId).year+(this.opts.byWeekNo?1:0):void 0;for(;;){if(++i2>
this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);let c2=t3=>this.processOccurrence(
t3,n2,a2,e3,void 0,r2);if(!(this.visitUtcPeriodCandidates(o2,c2,t2??a2,this.opts.until,r2)??this.visitPeriodCandidates(this.
generateYearlyDateCandidates(o2),c2,t2??a2,this.opts.until,r2)))break;let l2=this.opts.freq===`WEEKLY`?1:this.opts.interval;
try{o2=o2.add({years:l2})}catch{break}if(s2!==void 0&&o2.year>s2)break}return this.applyCountLimitAndMergeRDates(n2,e3)}_allMinutelySecondlyComplex(e3){
let t2=[],n2=0;if(!this.addDtstartIfNeeded(t2,e3))return this.applyCountLimitAndMergeRDates(t2,e3);let r2=this.computeFirst();
for(;;){if(++n2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);if(this.opts.
until&&Y.ZonedDateTime.compare(r2,this.opts.until)>0)break;if(this.matchesAll(r2)){if(e3&&this.isExcluded(r2)){r2=this.nextCandidateSameDate(
r2);continue}if(e3&&!e3(r2,t2.length)||(t2.push(r2),this.shouldBreakForCountLimit(t2.length)))break;r2=this.nextCandidateSameDate(
r2)}else r2=this.findNextValidDate(r2)}return this.applyCountLimitAndMergeRDates(t2,e3)}_allMonthlyByWeekNo(e3,t2){let n2=[],
r2=this.createCandidateWorkBudget(),i2=0,a2=this.originalDtstart;if(!this.addDtstartIfNeeded(n2,e3))return this.applyCountLimitAndMergeRDates(
n2,e3);let o2=a2,s2=[...this.opts.byWeekNo].sort((e4,t3)=>e4-t3),c2=this.opts.interval,l2=this.opts.until?this.opts.until.
withTimeZone(a2.timeZoneId).withCalendar(a2.calendarId).year+1:void 0,u2=0,d2=-1;outer_loop:for(;!this.shouldBreakForCountLimit(
n2.length);){if(++i2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);let f2=o2.
year;if(f2!==d2&&o2.month>=a2.month){d2=f2;let i3=s2.flatMap(e4=>this.generateDateCandidatesForWeekInYear(f2,e4));if(!this.
visitDateTimeCandidates(i3,1,t3=>this.processOccurrence(t3,n2,a2,e3,void 0,r2),t2??a2,this.opts.until,r2))break outer_loop}
if(u2+=c2,o2=a2.add({months:u2}),l2!==void 0&&o2.year>l2)break}return this.applyCountLimitAndMergeRDates(n2,e3)}_allMonthlyByYearDay(e3,t2){
let n2=[],r2=this.createCandidateWorkBudget(),i2=0,a2=this.originalDtstart;if(!this.addDtstartIfNeeded(n2,e3))return this.
applyCountLimitAndMergeRDates(n2,e3);let o2=a2.year,s2=[...this.opts.byYearDay].sort((e4,t3)=>e4-t3),c2=this.opts.interval,
l2=a2.year*12+a2.month;outer_loop:for(;!this.shouldBreakForCountLimit(n2.length);){if(++i2>this.maxIterations)throw Error(
`Maximum iterations (${this.maxIterations}) exceeded in all()`);let u2=a2.toPlainDate().with({year:o2,month:1,day:1}),d2=u2.
with({month:12,day:31}).dayOfYear,f2=[];for(let e4 of s2){let t3=e4>0?e4:d2+e4+1;t3<=0||t3>d2||f2.push(u2.add({days:t3-1}))}
if(!this.visitDateTimeCandidates(f2,1,t3=>(t3.year*12+t3.month-l2)%c2!==0||!this.matchesByMonth(t3)?true:this.processOccurrence(
t3,n2,a2,e3,void 0,r2),t2??a2,this.opts.until,r2))break outer_loop;if(o2++,this.opts.until&&o2>this.opts.until.year+2)break;
if(!this.opts.until&&this.opts.count){let e4=Math.ceil(this.opts.count/(this.opts.byYearDay.length||1))*c2+5;if(o2>a2.year+
e4)break}}return this.applyCountLimitAndMergeRDates(n2,e3)}_allDailyMinutelyHourlyWithBySetPos(e3){let t2=[],n2=0,r2=this.
originalDtstart;if(!this.addDtstartIfNeeded(t2,e3))return this.applyCountLimitAndMergeRDates(t2,e3);let i2,a2;switch(this.
opts.freq){case`MINUTELY`:i2=r2.with({second:0,microsecond:0,nanosecond:0}),a2={minutes:this.opts.interval};break;case`H\
OURLY`:i2=r2.with({minute:0,second:0,microsecond:0,nanosecond:0}),a2={hours:this.opts.interval};break;case`DAILY`:i2=r2.
with({hour:0,minute:0,second:0,microsecond:0,nanosecond:0}),a2={days:this.opts.interval};break;default:return this.applyCountLimitAndMergeRDates(
t2,e3)}for(;;){if(++n2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);let o2=this.
expandByTime(i2);o2=o2.filter(e4=>this.matchesAll(e4)),o2=this.applyBySetPos(o2);let{shouldBreak:s2}=this.processOccurrences(
o2,t2,r2,e3);if(s2||(i2=i2.add(a2),this.opts.until&&Y.ZonedDateTime.compare(i2,this.opts.until)>0))break}return this.applyCountLimitAndMergeRDates(
t2,e3)}_allFallback(e3){let t2=[],n2=0,r2=this.computeFirst();if(this.includeDtstart&&Y.ZonedDateTime.compare(r2,this.originalDtstart)>
0&&!(e3&&this.isExcluded(this.originalDtstart))&&(e3&&!e3(this.originalDtstart,t2.length)||(t2.push(this.originalDtstart),
this.shouldBreakForCountLimit(t2.length))))return this.applyCountLimitAndMergeRDates(t2,e3);for(;;){if(++n2>this.maxIterations)
throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);if(this.opts.until&&Y.ZonedDateTime.compare(
r2,this.opts.until)>0||this.matchesAll(r2)&&!(e3&&this.isExcluded(r2))&&(e3&&!e3(r2,t2.length)||(t2.push(r2),this.shouldBreakForCountLimit(
t2.length))))break;r2=this.nextCandidateSameDate(r2)}return this.applyCountLimitAndMergeRDates(t2,e3)}_allSubDailyPeriods(e3){
let t2=[],n2=this.createCandidateWorkBudget(),r2=this.originalDtstart;if(!this.addDtstartIfNeeded(t2,e3))return this.applyCountLimitAndMergeRDates(
t2,e3);let{freq:i2,byHour:a2,byMinute:o2,bySecond:s2,bySetPos:c2}=this.opts,l2=r2.timeZoneId,u2=r2.calendarId,d2=gd(l2),
f2=i2===`HOURLY`?jd:i2===`MINUTELY`?Ad:kd,p2=f2*BigInt(this.opts.interval),m2=r2.epochNanoseconds,h2=this.opts.until?.epochNanoseconds,
g2=i2===`HOURLY`&&this.opts.interval===1,_2=i2===`HOURLY`?void 0:o2,v2=i2===`SECONDLY`?s2:void 0,ee2=i2===`HOURLY`?o2:void 0,
te2=i2===`SECONDLY`?void 0:s2,ne2=BigInt(r2.millisecond*1e6+r2.microsecond*1e3+r2.nanosecond),re2=e4=>Number(zd(e4,Q)),ie2=(e4,t3)=>{
let n3=d2.nextTransitionAfter(re2(e4),Number(Bd(t3,Q)));if(n3===void 0)return;let r3=BigInt(n3)*Q;return r3>e4&&r3<=t3?r3:
void 0},y2,b2=e4=>{if(sd||l2===`UTC`)return new Y.ZonedDateTime(e4,l2,u2);y2??=new Y.ZonedDateTime(e4,l2,u2);let t3=e4-y2.
epochNanoseconds,n3=zd(t3,Q);return y2.add({milliseconds:Number(n3),nanoseconds:Number(t3-n3*Q)})},x2=e4=>e4.toZonedDateTime(
l2).epochNanoseconds,ae2=(e4,t3)=>ie2(e4,e4+t3-1n)??e4+t3,oe2,S2,se2=false,ce2=0n,le2=0;for(;;){if(++le2>this.maxIterations)
throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);let i3=m2+ce2*p2;if(h2!==void 0&&i3-2n*f2>h2)
break;let o3=re2(i3),s3=o3+d2.offsetMsAt(o3),l3=Math.floor(s3/Z),y3=s3-l3*Z,ue2=Math.floor(y3/Td),de2=Math.floor(y3/wd)%
60,fe2=Math.floor(y3/Cd)%60;if(g2&&ce2>0n){let e4=i3-jd;if(ie2(e4,i3)!==void 0){let t3=re2(e4),n3=t3+d2.offsetMsAt(t3);if(Math.
floor(n3/Td)===Math.floor(s3/Td)){ce2+=1n;continue}}}if(l3!==oe2){let{year:e4,month:t3}=Gd(l3);oe2=l3,S2=new Y.PlainDate(
e4,t3,l3-Wd(e4,t3,1)+1,u2),se2=this.matchesSubDailyDate(S2)}let C2;if(!se2)C2=x2(this.nextSubDailyDateCandidate(S2));else if(a2&&
!a2.includes(ue2)){let e4=a2.find(e5=>e5>ue2)??24,t3=BigInt((de2*60+fe2)*1e3)*Q+ne2;C2=ae2(i3,BigInt(e4-ue2)*jd-t3)}else if(_2&&
!_2.includes(de2)){let e4=_2.find(e5=>e5>de2)??60,t3=BigInt(fe2*1e3)*Q+ne2;C2=ae2(i3,BigInt(e4-de2)*Ad-t3)}else if(v2&&!v2.
includes(fe2)){let e4=v2.find(e5=>e5>fe2)??60;C2=ae2(i3,BigInt(e4-fe2)*kd-ne2)}if(C2!==void 0){if(h2!==void 0&&C2>h2)break;
let e4=C2-m2,t3=e4<=0n?0n:Bd(e4,p2);ce2=t3>ce2?t3:ce2+1n;continue}let pe2=[],me2;for(let e4 of ee2??[de2])for(let t3 of te2??
[fe2]){this.recordCandidateEvaluation(n2);let r3=BigInt((e4-de2)*60+(t3-fe2))*kd,a3=i3+r3;if(r3===0n||ie2(r3<0n?a3:i3,r3<
0n?i3:a3)===void 0){pe2.push(a3);continue}me2??=b2(i3);let o4=me2.with({minute:e4,second:t3});o4.hour===ue2&&o4.minute===
e4&&o4.second===t3&&pe2.push(o4.epochNanoseconds)}pe2.sort((e4,t3)=>e4<t3?-1:e4>t3?1:0);let w2=c2?.length?this.applyBySetPosToSortedList(
pe2).sort((e4,t3)=>e4<t3?-1:e4>t3?1:0):pe2;for(let i4=0;i4<w2.length;i4++){let a3=w2[i4];if(!(a3<m2||i4>0&&a3===w2[i4-1])&&
!this.processOccurrence(b2(a3),t2,r2,e3,void 0,n2))return this.applyCountLimitAndMergeRDates(t2,e3)}ce2+=1n}return this.
applyCountLimitAndMergeRDates(t2,e3)}matchesSubDailyDate(e3){return this.matchesByMonth(e3)&&this.matchesByWeekNo(e3)&&this.
matchesByYearDay(e3)&&this.matchesByMonthDay(e3)&&this.matchesByDay(e3)}nextSubDailyDateCandidate(e3){let t2=this.numericByMonths;
if(t2?.length&&!t2.includes(e3.month)){let n2=[...t2].sort((e4,t3)=>e4-t3),r2=n2.find(t3=>t3>e3.month);return r2===void 0?
e3.with({month:1,day:1}).add({years:1}).with({month:n2[0]}):e3.with({month:r2,day:1})}if(!this.matchesByWeekNo(e3))return e3.
add({days:8-e3.dayOfWeek});if(!this.matchesByYearDay(e3)){let t3=e3.daysInYear,n2=this.lastByYearDay(e3),r2=this.opts.byYearDay.
map(e4=>e4>0?e4:n2+e4+1).filter(n3=>n3>e3.dayOfYear&&n3<=t3);return r2.length?e3.add({days:Math.min(...r2)-e3.dayOfYear}):
e3.with({month:1,day:1}).add({years:1})}if(!this.matchesByMonthDay(e3)){let t3=e3.daysInMonth,n2=this.opts.byMonthDay.map(
e4=>e4>0?e4:t3+e4+1).filter(n3=>n3>e3.day&&n3<=t3);return n2.length?e3.with({day:Math.min(...n2)}):e3.with({day:1}).add(
{months:1})}if(!this.hasOrdinalByDay&&this.simpleByDayIsoDays?.length){let t3=this.simpleByDayIsoDays.map(t4=>(t4-e3.dayOfWeek+
6)%7+1);return e3.add({days:Math.min(...t3)})}return e3.add({days:1})}_allCalendarPeriods(e3,t2){let n2=[],r2=this.createCandidateWorkBudget(),
i2=this.originalDtstart,{freq:a2,interval:o2=1}=this.opts,s2=i2.toPlainDate(),c2=this.opts.until?.withTimeZone(i2.timeZoneId).
withCalendar(i2.calendarId).toPlainDate(),l2=a2===`DAILY`?s2:s2.with({day:1});a2===`YEARLY`&&(l2=l2.with({month:1}));let u2=a2===
`YEARLY`?{years:o2}:a2===`MONTHLY`?{months:o2}:{days:o2};if(!this.addDtstartIfNeeded(n2,e3))return this.applyCountLimitAndMergeRDates(
n2,e3);if(a2===`DAILY`&&this.simpleByDayIsoDays?.length){let t3=this.findFirstMatchingDailyStep(l2.dayOfWeek,o2,this.simpleByDayIsoDays);
if(t3===null)return this.applyCountLimitAndMergeRDates(n2,e3);l2=l2.add({days:t3*o2})}for(let o3=0;!(c2&&Y.PlainDate.compare(
l2,c2)>0);o3++){if(o3>=this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);let s3=[];
if(a2===`DAILY`)this.matchesByMonth(l2)&&this.matchesByMonthDay(l2)&&this.matchesByDay(l2)&&this.matchesByYearDay(l2)&&this.
matchesByWeekNo(l2)&&s3.push(l2);else{let e4=a2===`YEARLY`?this.opts.byMonth??[i2.monthCode]:[l2.month];for(let t3 of e4){
if(a2===`MONTHLY`&&!this.matchesByMonth(l2))continue;let e5;try{e5=l2.with(typeof t3==`number`?{month:t3}:{monthCode:t3},
{overflow:`reject`})}catch{continue}let n3=this.applySkipForDay(i2.calendarId,l2.year,e5,i2.day);n3&&s3.push(n3)}}if(!this.
visitPeriodCandidates(s3,t3=>this.processOccurrence(t3,n2,i2,e3,void 0,r2),t2??i2,this.opts.until,r2))break;l2=l2.add(u2)}
return this.applyCountLimitAndMergeRDates(n2,e3)}all(e3){if(e3){let t2=[];return this.allInternal((n2,r2)=>{let i2=this.
toPublicDate(n2);return e3(i2,r2)?(t2.push(i2),true):false}),t2}return!e3&&this.opts.cache!==false?(this.allResultCache||=
this.allInternal(),this.publicAllResultCache||=this.toPublicDates(this.allResultCache),this.publicAllResultCache.slice()):
this.toPublicDates(this.allInternal())}allInternal(e3,t2){if(this.opts.count===void 0&&!this.opts.until&&!e3)throw Error(
`all() requires iterator when no COUNT/UNTIL`);if(e3&&(this.opts.rDate||this.opts.exDate))return this.iterateRecurrenceSet(
e3);if(this.opts.count===0)return this.applyCountLimitAndMergeRDates([],e3);if(this.opts.until&&Y.ZonedDateTime.compare(
this.opts.until,this.originalDtstart)<0){let t3=[];return this.addDtstartIfNeeded(t3,e3),this.applyCountLimitAndMergeRDates(
t3,e3)}if(this.opts.rscale&&[`CHINESE`,`HEBREW`,`INDIAN`].includes(this.opts.rscale)&&([`YEARLY`,`MONTHLY`,`WEEKLY`].includes(
this.opts.freq)||this.opts.byYearDay||this.opts.byWeekNo||this.opts.byMonthDay&&this.opts.byMonthDay.length>0))return this.
_allRscaleNonGregorian(e3,t2);if(this.opts.byWeekNo&&this.opts.byYearDay&&!this.hasPossibleYearDayWeekNoCombination()){let t3=[];
return this.addDtstartIfNeeded(t3,e3),this.applyCountLimitAndMergeRDates(t3,e3)}let n2=this.allUtcFastPath(e3);if(n2)return this.
opts.rDate||this.opts.exDate?this.applyCountLimitAndMergeRDates(n2):n2;let r2=this.allTzEpochFastPath(e3);return r2?this.
opts.rDate||this.opts.exDate?this.applyCountLimitAndMergeRDates(r2):r2:this.opts.freq===`DAILY`||[`MONTHLY`,`YEARLY`].includes(
this.opts.freq)&&!this.opts.byDay&&!this.opts.byMonthDay&&!this.opts.byYearDay&&!this.opts.byWeekNo?this._allCalendarPeriods(
e3,t2):this.opts.freq===`MONTHLY`&&(this.opts.byDay||this.opts.byMonthDay)&&!this.opts.byWeekNo?this._allMonthlyByDayOrMonthDay(
e3,t2):this.opts.freq===`WEEKLY`&&!(this.opts.byYearDay&&this.opts.byYearDay.length>0)&&!(this.opts.byWeekNo&&this.opts.
byWeekNo.length>0)?this._allWeekly(e3,t2):this.opts.freq===`YEARLY`&&(this.opts.byDay||this.opts.byMonthDay||this.opts.byYearDay||
this.opts.byWeekNo)||this.opts.freq===`WEEKLY`&&this.opts.byYearDay&&this.opts.byYearDay.length>0||this.opts.freq===`WEE\
KLY`&&this.opts.byWeekNo&&this.opts.byWeekNo.length>0?this._allYearlyComplex(e3,t2):[`HOURLY`,`MINUTELY`,`SECONDLY`].includes(
this.opts.freq)&&!this.opts.rscale&&(this.opts.byMonth||this.opts.byWeekNo||this.opts.byYearDay||this.opts.byMonthDay||this.
opts.byDay||this.opts.byHour||this.opts.byMinute||this.opts.bySecond||this.opts.bySetPos)?this._allSubDailyPeriods(e3):(this.
opts.freq===`MINUTELY`||this.opts.freq===`SECONDLY`)&&(this.opts.byMonth||this.opts.byWeekNo||this.opts.byYearDay||this.
opts.byMonthDay||this.opts.byDay)?this._allMinutelySecondlyComplex(e3):this.opts.freq===`MONTHLY`&&this.opts.byWeekNo&&this.
opts.byWeekNo.length>0?this._allMonthlyByWeekNo(e3,t2):this.opts.freq===`MONTHLY`&&this.opts.byYearDay&&this.opts.byYearDay.
length>0&&!this.opts.byDay&&!this.opts.byMonthDay?this._allMonthlyByYearDay(e3,t2):(this.opts.freq===`MINUTELY`||this.opts.
freq===`HOURLY`)&&this.opts.bySetPos?this._allDailyMinutelyHourlyWithBySetPos(e3):this._allFallback(e3)}mergeAndDeduplicateRDates(e3){
this.opts.rDate&&e3.push(...this.opts.rDate);let t2=e3.map(e4=>e4.epochNanoseconds),n2=true;for(let e4=1;e4<t2.length;e4++)
if(t2[e4-1]>t2[e4]){n2=false;break}n2||(e3=e3.map((e4,t3)=>t3).sort((e4,n3)=>t2[e4]<t2[n3]?-1:t2[e4]>t2[n3]?1:0).map(t3=>e3[t3]),
t2.sort((e4,t3)=>e4<t3?-1:e4>t3?1:0));let r2=[];for(let n3=0;n3<e3.length;n3++)(n3===0||t2[n3]!==t2[n3-1])&&r2.push(e3[n3]);
return r2}isExcluded(e3){return this.isExcludedEpoch(e3.epochNanoseconds)}isExcludedEpoch(e3){return!this.opts.exDate||this.
opts.exDate.length===0?false:(this.exDateEpochNs===void 0&&(this.exDateEpochNs=new Set(this.opts.exDate.map(e4=>e4.epochNanoseconds))),
this.exDateEpochNs.has(e3))}getNumericRDates(){if(this.numericRDatesCache)return this.numericRDatesCache;let e3=[...this.
opts.rDate??[]].sort((e4,t3)=>e4.epochNanoseconds<t3.epochNanoseconds?-1:e4.epochNanoseconds>t3.epochNanoseconds?1:0),t2=[],
n2;for(let r2 of e3)r2.epochNanoseconds!==n2&&(n2=r2.epochNanoseconds,this.isExcludedEpoch(n2)||t2.push(r2));return this.
numericRDatesCache=t2}numericRDateLowerBound(e3,t2){let n2=this.getNumericRDates(),r2=0,i2=n2.length;for(;r2<i2;){let a2=r2+
Math.floor((i2-r2)/2),o2=n2[a2].epochNanoseconds;(t2?o2>e3:o2>=e3)?i2=a2:r2=a2+1}return r2}excludeExDates(e3){return!this.
opts.exDate||this.opts.exDate.length===0?e3:e3.filter(e4=>!this.isExcluded(e4))}applyCountLimitAndMergeRDates(e3,t2){let n2=this.
opts.count===void 0?e3:e3.slice(0,Math.max(this.opts.count,0)),r2=this.mergeAndDeduplicateRDates(n2),i2=this.excludeExDates(
r2);return!t2||!this.opts.rDate&&!this.opts.exDate?i2:this.applyIterator(i2,t2)}iterateRecurrenceSet(t2){let n2=[],r2=[...this.
opts.rDate??[]].sort((e3,t3)=>Y.ZonedDateTime.compare(e3,t3)),i2=0,a2,o2=false,s2=e3=>{let r3=e3.epochNanoseconds;return a2===
r3||(a2=r3,this.isExcluded(e3))?true:t2(e3,n2.length)?(n2.push(e3),true):(o2=true,false)},c2=e3=>{for(;i2<r2.length&&r2[i2].
epochNanoseconds<e3;)if(!s2(r2[i2++]))return false;return true},l2=e3=>{if(!c2(e3.epochNanoseconds)||!s2(e3))return false;
for(;i2<r2.length&&r2[i2].epochNanoseconds===e3.epochNanoseconds;)i2++;return true};for((this.opts.count===void 0||this.
opts.count>0)&&new e2({...this.cloneOptions(),rDate:void 0,exDate:void 0,cache:false}).allInternal(l2);!o2&&i2<r2.length&&
s2(r2[i2++]););return n2}applyIterator(e3,t2){let n2=[];for(let r2 of e3){if(!t2(r2,n2.length))break;n2.push(r2)}return n2}shouldBreakForCountLimit(e3){
return this.opts.count===void 0?false:e3>=this.opts.count}hasTimeOfDayBetween(e3,t2){if(Y.PlainTime.compare(e3,t2)>=0)return false;
let n2=this.originalDtstart,r2=this.opts.byHour??[n2.hour],i2=this.opts.byMinute??[n2.minute],a2=this.opts.bySecond??[n2.
second];for(let o2 of r2)for(let r3 of i2)for(let i3 of a2){let a3=Y.PlainTime.from({hour:o2,minute:r3,second:i3,millisecond:n2.
millisecond,microsecond:n2.microsecond,nanosecond:n2.nanosecond});if(Y.PlainTime.compare(a3,e3)>=0&&Y.PlainTime.compare(
a3,t2)<0)return true}return false}assertNumericCandidateReachable(e3){if(e3&&e3.periodIndex>=this.maxIterations)throw Error(
`Maximum iterations (${this.maxIterations}) exceeded in all()`)}numericExhaustionCandidate(e3){return e3.count<e3.maximumCount?
e3.select(e3.count):e3.count>0?e3.select(e3.count-1):null}tryNumericNext(e3,t2){let n2=this.getNumericQueryPlan();if(!n2)
return{handled:false};let r2=n2.lowerBound(e3,!t2);if(!this.opts.rDate&&!this.opts.exDate){if(r2>=n2.count)return this.assertNumericCandidateReachable(
this.numericExhaustionCandidate(n2)),{handled:true,value:null};let e4=n2.select(r2);return e4?(this.assertNumericCandidateReachable(
e4),{handled:true,value:this.zdtFromEpochMs(e4.epochMilliseconds)}):{handled:false}}let i2=this.getNumericRDates()[this.
numericRDateLowerBound(e3,!t2)];for(;r2<n2.count;){let e4=n2.select(r2);if(!e4)return{handled:false};let t3=BigInt(e4.epochMilliseconds)*
Q;if(this.assertNumericCandidateReachable(e4),i2&&i2.epochNanoseconds<t3)return{handled:true,value:i2};if(!this.isExcludedEpoch(
t3))return{handled:true,value:this.zdtFromEpochMs(e4.epochMilliseconds)};r2+=1}let a2=this.numericExhaustionCandidate(n2);
return this.assertNumericCandidateReachable(a2),{handled:true,value:i2??null}}tryNumericPrevious(e3,t2){let n2=this.getNumericQueryPlan();
if(!n2)return{handled:false};let r2=n2.lowerBound(e3,t2),i2=r2<n2.count?n2.select(r2):this.numericExhaustionCandidate(n2);
this.assertNumericCandidateReachable(i2);let a2=r2-1;if(!this.opts.rDate&&!this.opts.exDate){if(a2<0)return{handled:true,
value:null};let e4=n2.select(a2);return e4?{handled:true,value:this.zdtFromEpochMs(e4.epochMilliseconds)}:{handled:false}}
let o2=null;for(;a2>=0;){let e4=n2.select(a2);if(!e4)return{handled:false};if(!this.isExcludedEpoch(BigInt(e4.epochMilliseconds)*
Q)){o2=e4;break}--a2}let s2=this.getNumericRDates(),c2=this.numericRDateLowerBound(e3,t2)-1,l2=c2>=0?s2[c2]:null;return!o2||
l2&&l2.epochNanoseconds>BigInt(o2.epochMilliseconds)*Q?{handled:true,value:l2}:{handled:true,value:this.zdtFromEpochMs(o2.
epochMilliseconds)}}tryNumericBetween(e3,t2,n2){if(e3>t2)return{handled:false};let r2=this.getNumericQueryPlan();if(!r2)
return{handled:false};let i2=r2.lowerBound(e3,!n2),a2=r2.lowerBound(t2,n2),o2=r2.lowerBound(t2,true),s2=o2<r2.count?r2.select(
o2):this.numericExhaustionCandidate(r2);if(this.assertNumericCandidateReachable(s2),i2>=a2&&!this.opts.rDate)return{handled:true,
value:[]};if(!this.opts.rDate&&!this.opts.exDate){let e4=Array(a2-i2);for(let t3=i2;t3<a2;t3++){let n3=r2.select(t3);if(!n3)
return{handled:false};e4[t3-i2]=this.zdtFromEpochMs(n3.epochMilliseconds)}return{handled:true,value:e4}}let c2=[];for(let e4=i2;e4<
a2;e4++){let t3=r2.select(e4);if(!t3)return{handled:false};let n3=BigInt(t3.epochMilliseconds)*Q;this.isExcludedEpoch(n3)||
c2.push(this.zdtFromEpochMs(t3.epochMilliseconds))}let l2=this.getNumericRDates(),u2=this.numericRDateLowerBound(e3,!n2),
d2=this.numericRDateLowerBound(t2,n2),f2=[],p2=0,m2=u2;for(;p2<c2.length||m2<d2;){let e4=c2[p2],t3=l2[m2];!t3||e4&&e4.epochNanoseconds<=
t3.epochNanoseconds?(f2.push(e4),p2+=1,t3&&t3.epochNanoseconds===e4.epochNanoseconds&&(m2+=1)):(f2.push(t3),m2+=1)}return{
handled:true,value:f2}}periodScanBudget(e3,t2,n2){let r2=Math.floor((this.maxIterations-16)/t2),i2=Math.floor(this.maxCandidateEvaluations/
(e3.candidatesPerPeriod*t2))-16;return Math.min(n2,r2,i2)}resolvePeriodEpochs(e3,t2){if(e3.rankedPeriodWallSpan&&this.tzid!==
`UTC`){let n3=e3.rankedPeriodWallSpan(t2);if(!n3)return null;let r3=this.getZoneResolver();if(this.timeSlotOffsetsMs.some(
e4=>r3.timeOfDayMayHitGap(e4,n3[0]-Z,n3[1]+Z)))return null}let n2=e3.wallsForPeriod(t2);if(!n2)return null;let r2=Array(
n2.length);for(let e4=0;e4<n2.length;e4++){let t3=this.resolveNumericWallMilliseconds(n2[e4]);if(t3===null)return null;r2[e4]=
t3}return r2}isExcludedEpochMilliseconds(e3){return!!this.opts.exDate?.length&&this.isExcludedEpoch(BigInt(e3)*Q)}periodScanForward(e3,t2,n2,r2=1){
let i2=this.originalDtstart.epochMilliseconds,a2=this.opts.until?.epochMilliseconds,o2=Math.max(t2,i2);if(a2!==void 0&&o2>
a2)return null;let s2=this.periodScanBudget(e3,r2,Fd),c2=e4=>a2!==void 0&&e4>a2?null:n2!==void 0&&e4>n2?e4:this.isExcludedEpochMilliseconds(
e4)?void 0:e4,l2=e3.stepMilliseconds;if(l2!==void 0){let e4=i2+Math.ceil((o2-i2)/l2)*l2;e4<o2?e4+=l2:e4-l2>=o2&&(e4-=l2);
for(let t3=0;t3<s2;t3++,e4+=l2){if(!Ud(e4))return;let t4=c2(e4);if(t4!==void 0)return t4}return}let u2=Math.max(0,e3.periodOfWall(
this.tzid===`UTC`?o2:o2-Z));for(let t3=0;t3<s2;t3++,u2++){let t4=this.resolvePeriodEpochs(e3,u2);if(!t4)return;for(let e4 of t4){
if(e4<o2)continue;let t5=c2(e4);if(t5!==void 0)return t5}}}periodScanBackward(e3,t2,n2){let r2=this.originalDtstart.epochMilliseconds,
i2=this.opts.until?.epochMilliseconds,a2=i2===void 0?t2:Math.min(t2,i2);if(a2<r2)return null;let o2=this.periodScanBudget(
e3,8,Fd),s2=e4=>e4<r2?null:n2!==void 0&&e4<n2?e4:this.isExcludedEpochMilliseconds(e4)?void 0:e4,c2=e3.stepMilliseconds;if(c2!==
void 0){let e4=r2+Math.floor((a2-r2)/c2)*c2;e4>a2?e4-=c2:e4+c2<=a2&&(e4+=c2);for(let t3=0;t3<o2;t3++,e4-=c2){let t4=s2(e4);
if(t4!==void 0)return t4}return}let l2=e3.periodOfWall(this.tzid===`UTC`?a2:a2+Z);for(let t3=0;t3<o2;t3++,l2--){if(l2<0)
return null;let t4=this.resolvePeriodEpochs(e3,l2);if(!t4)return;for(let e4=t4.length-1;e4>=0;e4--){let n3=t4[e4];if(n3>
a2)continue;let r3=s2(n3);if(r3!==void 0)return r3}}}periodEpochsBetween(e3,t2,n2){let r2=this.originalDtstart.epochMilliseconds,
i2=this.opts.until?.epochMilliseconds,a2=Math.max(t2,r2),o2=i2===void 0?n2:Math.min(n2,i2),s2=[];if(a2>o2)return s2;let c2=this.
periodScanBudget(e3,1,1/0),l2=e3.stepMilliseconds;if(l2!==void 0){let e4=r2+Math.ceil((a2-r2)/l2)*l2;if(e4<a2?e4+=l2:e4-
l2>=a2&&(e4-=l2),(o2-e4)/l2>=c2)return null;for(let t3=e4;t3<=o2;t3+=l2){if(!Ud(t3))return null;this.isExcludedEpochMilliseconds(
t3)||s2.push(t3)}return s2}let u2=this.tzid===`UTC`,d2=Math.max(0,e3.periodOfWall(u2?a2:a2-Z)),f2=e3.periodOfWall(u2?o2:
o2+Z);if(f2-d2>=c2)return null;for(let t3=d2;t3<=f2;t3++){let n3=this.resolvePeriodEpochs(e3,t3);if(!n3)return null;for(let e4 of n3)
e4<a2||e4>o2||this.isExcludedEpochMilliseconds(e4)||s2.push(e4)}return s2}tryPeriodNext(e3,t2){let n2=this.getPeriodQueryPlan();
if(!n2)return{handled:false};let r2=this.opts.rDate?this.getNumericRDates()[this.numericRDateLowerBound(e3,!t2)]:void 0,
i2=this.periodScanForward(n2,Vd(e3,!t2),r2?Hd(r2.epochNanoseconds,false):void 0);return i2===void 0?{handled:false}:r2&&
(i2===null||BigInt(i2)*Q>r2.epochNanoseconds)?{handled:true,value:r2}:{handled:true,value:i2===null?null:this.zdtFromEpochMs(
i2)}}tryPeriodPrevious(e3,t2){let n2=this.getPeriodQueryPlan();if(!n2)return{handled:false};let r2=this.opts.rDate?this.
numericRDateLowerBound(e3,t2)-1:-1,i2=r2>=0?this.getNumericRDates()[r2]:null,a2=this.periodScanBackward(n2,Hd(e3,!t2),i2?
Vd(i2.epochNanoseconds,false):void 0);return a2===void 0||this.periodScanForward(n2,Vd(e3,t2),void 0,2)===void 0?{handled:false}:
i2&&(a2===null||BigInt(a2)*Q<i2.epochNanoseconds)?{handled:true,value:i2}:{handled:true,value:a2===null?null:this.zdtFromEpochMs(
a2)}}tryPeriodBetween(e3,t2,n2){if(e3>t2)return{handled:false};let r2=this.getPeriodQueryPlan();if(!r2)return{handled:false};
let i2=this.periodEpochsBetween(r2,Vd(e3,!n2),Hd(t2,!n2));if(!i2)return{handled:false};let a2=i2.map(e4=>this.zdtFromEpochMs(
e4));if(!this.opts.rDate)return{handled:true,value:a2};let o2=this.getNumericRDates(),s2=this.numericRDateLowerBound(t2,
n2),c2=[],l2=0,u2=this.numericRDateLowerBound(e3,!n2);for(;l2<a2.length||u2<s2;){let e4=a2[l2],t3=u2<s2?o2[u2]:void 0;!t3||
e4&&e4.epochNanoseconds<=t3.epochNanoseconds?(c2.push(e4),l2+=1,t3&&t3.epochNanoseconds===e4.epochNanoseconds&&(u2+=1)):
(c2.push(t3),u2+=1)}return{handled:true,value:c2}}between(t2,n2,r2=false){let i2=Qd(t2,`after`),a2=Qd(n2,`before`),o2=this.
tryNumericBetween(i2,a2,r2);if(o2.handled)return this.toPublicDates(o2.value);let s2=this.tryPeriodBetween(i2,a2,r2);if(s2.
handled)return this.toPublicDates(s2.value);let c2=new Y.ZonedDateTime(i2,this.tzid,this.originalDtstart.calendarId),l2=new Y.
ZonedDateTime(a2,this.tzid,this.originalDtstart.calendarId),u2={...this.opts};(!u2.until||Y.ZonedDateTime.compare(l2,u2.
until)<0)&&(u2.until=l2),u2.count===void 0&&Object.assign(u2,this.alignedQueryStart(c2));let d2=new e2({...u2,strict:u2.
count===void 0?u2.strict:false,temporal:this.outputTemporal}).allInternal(void 0,u2.count===void 0?c2:void 0);return this.
toPublicDates(d2.filter(e3=>{let t3=r2?e3.epochNanoseconds>=i2:e3.epochNanoseconds>i2,n3=r2?e3.epochNanoseconds<=a2:e3.epochNanoseconds<
a2;return t3&&n3}))}jumpAlignedDtstart(t2){if(t2=t2.withTimeZone(this.originalDtstart.timeZoneId).withCalendar(this.originalDtstart.
calendarId),t2.epochNanoseconds<=this.originalDtstart.epochNanoseconds||this.opts.rscale||this.originalDtstart.timeZoneId!==
this.tzid||this.opts.freq===`MONTHLY`&&this.opts.byWeekNo||[`MONTHLY`,`YEARLY`].includes(this.opts.freq)&&![`iso8601`,`g\
regory`].includes(this.originalDtstart.calendarId))return this.originalDtstart;let n2=this.opts.interval??1,r2=t2.withPlainTime(
this.originalDtstart.toPlainTime()),i2;switch(this.opts.freq){case`YEARLY`:i2=`years`;break;case`MONTHLY`:i2=`months`;break;case`\
WEEKLY`:i2=`weeks`;break;case`DAILY`:i2=`days`;break;case`HOURLY`:i2=`hours`;break;case`MINUTELY`:i2=`minutes`;break;default:
i2=`seconds`}let a2=e2.normalizeToPolyfill(this.opts.dtstart),o2=e2.normalizeToPolyfill(t2).withTimeZone(a2.timeZoneId),
s2=e2.normalizeToPolyfill(r2.withPlainTime(this.originalDtstart.toPlainTime())).withTimeZone(a2.timeZoneId),c2=[`hours`,
`minutes`,`seconds`].includes(i2)?o2:s2,l2=a2.until(c2,{largestUnit:i2})[i2],u2=Math.floor(l2/n2),d2=e3=>{switch(i2){case`\
years`:return{years:e3};case`months`:return{months:e3};case`weeks`:return{weeks:e3};case`days`:return{days:e3};case`hour\
s`:return{hours:e3};case`minutes`:return{minutes:e3};default:return{seconds:e3}}},f2=[`years`,`months`,`weeks`,`days`].includes(
i2),p2=()=>{for(;u2>0;){if(!f2)return a2.add(d2(u2*n2));try{let e3=this.originalDtstart.toPlainDateTime().add(d2(u2*n2),
{overflow:`reject`}),t3=this.resolveGeneratedTime(e3);if(t3)return t3}catch{}--u2}return this.originalDtstart},m2=p2();this.
opts.freq===`HOURLY`&&n2===1&&u2>0&&m2.subtract({hours:1}).hour===m2.hour&&(--u2,m2=p2()),u2>0&&[`years`,`months`,`weeks`,
`days`].includes(i2)&&m2.toPlainDate().equals(o2.toPlainDate())&&Y.ZonedDateTime.compare(m2,o2)>0&&this.hasTimeOfDayBetween(
o2.toPlainTime(),m2.toPlainTime())&&(--u2,m2=p2());let h2=e2.normalizeToPolyfill(this.opts.dtstart);return Y.ZonedDateTime.
compare(m2,h2)<0&&(m2=h2),m2}matches(e3){let t2=Qd(e3,`date`);return this.nextInternal(t2,true)?.epochNanoseconds===t2}occursOn(e3){
let t2=Y.PlainDate.from(e3.toString()),n2=t2.toZonedDateTime({timeZone:this.tzid,plainTime:Y.PlainTime.from(`00:00`)});if(!n2.
toPlainDate().equals(t2))return false;let r2=t2.add({days:1}).toZonedDateTime({timeZone:this.tzid,plainTime:Y.PlainTime.
from(`00:00`)}),i2=this.nextInternal(n2.epochNanoseconds,true);return i2!==null&&i2.epochNanoseconds<r2.epochNanoseconds}nextInternal(e3,t2){
let n2=this.tryNumericNext(e3,t2);if(n2.handled)return n2.value;let r2=this.tryPeriodNext(e3,t2);if(r2.handled)return r2.
value;let i2=null,a2=n3=>{n3.allInternal(n4=>(t2?n4.epochNanoseconds>=e3:n4.epochNanoseconds>e3)?((!i2||n4.epochNanoseconds<
i2.epochNanoseconds)&&(i2=n4),false):true)};return this.opts.count===void 0?a2(this.ruleFromAlignedDtstart(new Y.ZonedDateTime(
e3,this.tzid))):a2(this),i2}next(e3=new Date,t2=false){return this.toPublicDate(this.nextInternal(Qd(e3,`after`),t2))}alignedQueryStart(e3){
let t2=this.jumpAlignedDtstart(e3);return{dtstart:t2,includeDtstart:this.includeDtstart&&t2.epochNanoseconds===this.originalDtstart.
epochNanoseconds}}ruleFromAlignedDtstart(t2){let n2=this.alignedQueryStart(t2);return n2.dtstart.epochNanoseconds===this.
originalDtstart.epochNanoseconds?this:new e2({...this.opts,temporal:this.outputTemporal,...n2})}previous(e3=new Date,t2=false){
let n2=Qd(e3,`before`),r2=this.tryNumericPrevious(n2,t2);if(r2.handled)return this.toPublicDate(r2.value);let i2=this.tryPeriodPrevious(
n2,t2);if(i2.handled)return this.toPublicDate(i2.value);let a2=null;if(this.opts.rDate?.length){let e4=this.numericRDateLowerBound(
n2,t2)-1;a2=e4>=0?this.getNumericRDates()[e4]:null}let o2=this.previousFromRule(n2,t2,a2?.epochNanoseconds);return!o2||a2&&
a2.epochNanoseconds>o2.epochNanoseconds?this.toPublicDate(a2):this.toPublicDate(o2)}previousFromRule(t2,n2,r2){let i2=this.
opts.rDate&&this.opts.rDate.length>0?new e2({...this.opts,temporal:this.outputTemporal,rDate:void 0}):this,a2=e3=>{let r3=null;
return e3.allInternal(e4=>(n2?e4.epochNanoseconds>t2:e4.epochNanoseconds>=t2)?false:(r3=e4,true)),r3};if(i2.opts.count!==
void 0)return a2(i2);let o2=i2.opts.until?.epochNanoseconds,s2=new Y.ZonedDateTime(o2!==void 0&&o2<t2?o2:t2,i2.tzid,i2.originalDtstart.
calendarId),c2=i2.opts.interval??1;for(let e3=0;e3<16;e3++){let t3=e3===0?s2:s2.subtract(i2.freqDuration(c2*4**e3)),n3=r2!==
void 0&&t3.epochNanoseconds<=r2;n3&&(t3=new Y.ZonedDateTime(r2,i2.tzid,i2.originalDtstart.calendarId));let o3=i2.ruleFromAlignedDtstart(
t3),l2=a2(o3);if(l2||o3===i2||n3)return l2}return a2(i2)}freqDuration(e3){switch(this.opts.freq){case`YEARLY`:return{years:e3};case`\
MONTHLY`:return{months:e3};case`WEEKLY`:return{weeks:e3};case`DAILY`:return{days:e3};case`HOURLY`:return{hours:e3};case`\
MINUTELY`:return{minutes:e3};default:return{seconds:e3}}}toString(){let e3=this.originalDtstart.toString({smallestUnit:`\
second`}).replace(/[-:]/g,``),t2=`DTSTART;TZID=${this.tzid}:${e3.slice(0,15)}`,n2=[],{freq:r2,interval:i2,count:a2,until:o2,
byHour:s2,byMinute:c2,bySecond:l2,byDay:u2,byMonth:d2,byMonthDay:f2,bySetPos:p2,byWeekNo:m2,byYearDay:h2,wkst:g2,rDate:_2,
exDate:v2}=this.opts;this.opts.rscale&&n2.push(`RSCALE=${this.opts.rscale}`),this.opts.rscale&&this.opts.skip&&n2.push(`\
SKIP=${this.opts.skip}`),n2.push(`FREQ=${r2}`),i2!==1&&n2.push(`INTERVAL=${i2}`),a2!==void 0&&n2.push(`COUNT=${a2}`),o2&&
n2.push(`UNTIL=${this.formatIcsDateTime(o2)}`),s2&&n2.push(`BYHOUR=${s2.join(`,`)}`),c2&&n2.push(`BYMINUTE=${c2.join(`,`)}`),
l2&&n2.push(`BYSECOND=${l2.join(`,`)}`),u2&&n2.push(`BYDAY=${u2.join(`,`)}`),d2&&n2.push(`BYMONTH=${d2.join(`,`)}`),f2&&
n2.push(`BYMONTHDAY=${f2.join(`,`)}`),p2&&n2.push(`BYSETPOS=${p2.join(`,`)}`),m2&&n2.push(`BYWEEKNO=${m2.join(`,`)}`),h2&&
n2.push(`BYYEARDAY=${h2.join(`,`)}`),g2&&n2.push(`WKST=${g2}`);let ee2=[t2,`RRULE:${n2.join(`;`)}`];return _2&&ee2.push(
`RDATE:${this.joinDates(_2)}`),v2&&ee2.push(`EXDATE:${this.joinDates(v2)}`),ee2.join(`
`)}formatIcsDateTime(e3){return e3.toInstant().toString().replace(/[-:]/g,``).slice(0,15)+`Z`}joinDates(e3){return e3.map(
e4=>this.formatIcsDateTime(e4))}generateMonthlyDateCandidates(e3){let t2=e3.day===1?e3:e3.with({day:1});if(!this.opts.byDay&&
!this.opts.byMonthDay)return[e3];let n2=this.generateMonthlyOccurrenceDays(t2);return n2.length===0?[]:n2.map(e4=>t2.with(
{day:e4}))}generateMonthlyOccurrences(e3){let t2=[];return this.visitDateTimeCandidates(this.generateMonthlyDateCandidates(
e3.toPlainDate()),1,e4=>(t2.push(e4),true)),t2}generateYearlyDateCandidates(e3){let t2=this.opts.byMonth?this.opts.byMonth.
filter(e4=>typeof e4==`number`).sort((e4,t3)=>e4-t3):this.opts.byMonthDay||this.opts.byDay?[1,2,3,4,5,6,7,8,9,10,11,12]:
[this.originalDtstart.month],n2=[];if(this.opts.byDay&&this.opts.byDay.some(e4=>/^[+-]?\d/.test(e4))&&!this.opts.byMonth){
let t3=X;for(let r2 of this.opts.byDay){let i2=Jd(r2);if(!i2||i2.ord===0)continue;let a2=i2.ord,o2=t3[i2.weekday],s2;if(a2>
0){let t4=e3.with({month:1,day:1}),n3=(o2-t4.dayOfWeek+7)%7;s2=t4.add({days:n3+7*(a2-1)})}else{let t4=e3.with({month:12,
day:31}),n3=(t4.dayOfWeek-o2+7)%7;s2=t4.subtract({days:n3+7*(-a2-1)})}n2.push(s2)}}else if(!this.opts.byYearDay&&!this.opts.
byWeekNo){n2=[];for(let r2 of t2){let t3=e3.with({month:r2,day:1}),i2=this.generateMonthlyDateCandidates(t3);if(i2.length===
0&&this.opts.rscale&&this.opts.byMonthDay&&this.opts.byMonthDay.length>0){let e4=t3.add({months:1}).subtract({days:1}).day,
r3=this.opts.byMonthDay[0],i3=r3>0?r3:e4+r3+1;if(i3>e4||i3<=0){let r4=this.opts.skip||`OMIT`;if(r4===`BACKWARD`)n2.push(
t3.with({day:e4}));else if(r4===`FORWARD`){let e5=t3.add({months:1}).with({day:1});n2.push(e5)}}}else n2.push(...i2)}}if(this.
opts.byYearDay){let t3=e3.with({month:12,day:31}).dayOfYear;for(let r2 of this.opts.byYearDay){let i2=r2>0?r2:t3+r2+1;if(i2<=
0||i2>t3)continue;let a2=(this.opts.freq,e3.with({month:1,day:1}).add({days:i2-1}));(!this.opts.byMonth||this.opts.byMonth.
includes(a2.month))&&n2.push(a2)}}if(this.opts.byWeekNo){let{lastWeek:t3,firstWeekStart:r2,tokens:i2}=this.isoWeekByDay(
e3);for(let e4 of this.opts.byWeekNo){if(e4>0&&e4>t3||e4<0&&-e4>t3)continue;let a2=e4>0?e4-1:t3+e4,o2=r2.add({weeks:a2});
n2.push(...this.addByDayDates(i2,o2))}}return this.sortedUniqueDateCandidates(n2)}addByDayDates(e3,t2){let n2=X,r2=n2[this.
opts.wkst||`MO`],i2=[];for(let a2 of e3){if(!a2)continue;let e4=n2[a2],o2=t2.add({days:(e4-r2+7)%7});(!this.opts.byMonth||
this.opts.byMonth.includes(o2.month))&&i2.push(o2)}return this.sortedUniqueDateCandidates(i2)}findNextValidValue(e3,t2,n2){
return t2.find(t3=>n2(t3,e3)>0)||null}findNextValidDate(e3){if(this.opts.byWeekNo&&this.opts.byYearDay){let t2=e3.with({
month:1,day:1,hour:0,minute:0,second:0,millisecond:0}),n2=this.opts.byYearDay.map(e4=>{let n3=t2.with({month:12,day:31}).
dayOfYear;return e4>0?e4:n3+e4+1});for(let e4 of n2){let n3=t2.add({days:e4-1});if(this.matchesByWeekNo(n3))break}}if(this.
opts.byMonth){let t2=this.opts.byMonth.filter(e4=>typeof e4==`number`);if(t2.length&&!t2.includes(e3.month)){let n2=[...t2].
sort((e4,t3)=>e4-t3),r2=this.findNextValidValue(e3.month,n2,(e4,t3)=>e4-t3);return e3=r2?e3.with({month:r2,day:1,hour:0,
minute:0,second:0}):e3.add({years:1}).with({month:n2[0],day:1,hour:0,minute:0,second:0}),e3=this.applyTimeOverride(e3),e3}}
if(this.opts.byWeekNo&&!this.matchesByWeekNo(e3))return e3=e3.add({weeks:1}).with({hour:0,minute:0,second:0}),e3=this.applyTimeOverride(
e3),e3;if(this.opts.byYearDay&&!this.matchesByYearDay(e3)){let t2=[...this.opts.byYearDay].sort((e4,t3)=>e4-t3),n2=e3.dayOfYear,
r2=e3.with({month:12,day:31}).dayOfYear,i2=t2.find(e4=>(e4>0?e4:r2+e4+1)>n2);if(i2){let t3=i2>0?i2:r2+i2+1;e3=this.opts.
freq===`MINUTELY`||this.opts.freq===`SECONDLY`?e3.with({month:1,day:1,hour:0,minute:0,second:0,millisecond:0}).add({days:t3-
1}):e3.with({month:1,day:1}).add({days:t3-1})}else{let n3=e3.add({years:1}),r3=n3.with({month:12,day:31}).dayOfYear,i3=t2[0];
if(i3!==void 0){let t3=i3>0?i3:r3+i3+1;e3=this.opts.freq===`MINUTELY`||this.opts.freq===`SECONDLY`?n3.with({month:1,day:1,
hour:0,minute:0,second:0,millisecond:0}).add({days:t3-1}):n3.with({month:1,day:1}).add({days:t3-1})}}return e3=this.applyTimeOverride(
e3),e3}if(this.opts.byMonthDay&&!this.matchesByMonthDay(e3)){let t2=[...this.opts.byMonthDay].sort((e4,t3)=>e4-t3),n2=e3.
with({day:1}).add({months:1}).subtract({days:1}).day,r2=e3.day,i2=t2.map(e4=>e4>0?e4:n2+e4+1).filter(e4=>e4>0&&e4<=n2).sort(
(e4,t3)=>e4-t3),a2=this.findNextValidValue(r2,i2,(e4,t3)=>e4-t3);if(a2)e3=e3.with({day:a2,hour:0,minute:0,second:0});else{
let n3=e3.add({months:1}).with({day:1}),r3=n3.add({months:1}).subtract({days:1}).day,i3=t2[0];if(i3!==void 0){let t3=i3>
0?i3:r3+i3+1;e3=n3.with({day:Math.max(1,Math.min(t3,r3)),hour:0,minute:0,second:0})}else e3=e3.add({months:1}).with({day:1,
hour:0,minute:0,second:0})}return e3=this.applyTimeOverride(e3),e3}if(this.opts.byDay&&!this.matchesByDay(e3)){let t2=this.
allByDayIsoDays;if(!t2?.length)return this.applyTimeOverride(e3.add({days:1}).with({hour:0,minute:0,second:0}));let n2=this.
findNextValidValue(e3.dayOfWeek,t2,(e4,t3)=>e4-t3);if(n2){let t3=(n2-e3.dayOfWeek+7)%7;e3=e3.add({days:t3}).with({hour:0,
minute:0,second:0})}else{let n3=(t2[0]-e3.dayOfWeek+7)%7;e3=e3.add({days:n3+7}).with({hour:0,minute:0,second:0})}return e3=
this.applyTimeOverride(e3),e3}switch(this.opts.freq){case`SECONDLY`:case`MINUTELY`:e3=e3.add({days:1}).with({hour:0,minute:0,
second:0});break;case`HOURLY`:e3=e3.add({days:1}).with({hour:0,minute:0,second:0});break;case`DAILY`:case`WEEKLY`:e3=e3.
add({months:1}).with({day:1,hour:0,minute:0,second:0});break;case`MONTHLY`:case`YEARLY`:e3=e3.add({years:1}).with({month:1,
day:1,hour:0,minute:0,second:0});break}return this.applyTimeOverride(e3)}applyBySetPos(e3){let{bySetPos:t2}=this.opts;if(!t2||
!t2.length)return e3;let n2=[...e3].sort((e4,t3)=>Y.ZonedDateTime.compare(e4,t3));return this.applyBySetPosToSortedList(
n2).sort((e4,t3)=>Y.ZonedDateTime.compare(e4,t3))}isoWeekByDay(e3){let t2=X,n2=t2[this.opts.wkst||`MO`],r2=e3.with({month:1,
day:4}),i2=(r2.dayOfWeek-n2+7)%7,a2=r2.subtract({days:i2}),o2=r2.add({years:1}).with({month:1,day:4}),s2=o2.subtract({days:(o2.
dayOfWeek-n2+7)%7});return{lastWeek:a2.until(s2,{largestUnit:`days`}).days/7,firstWeekStart:a2,tokens:this.opts.byDay?.length?
this.opts.byDay.map(e4=>qd(e4)).filter(e4=>e4!==null):[Object.entries(t2).find(([,e4])=>e4===this.originalDtstart.dayOfWeek)[0]]}}generateDateCandidatesForWeekInYear(e3,t2){
let n2=[],r2=this.originalDtstart.toPlainDate().with({year:e3,month:1,day:1}),{lastWeek:i2,firstWeekStart:a2,tokens:o2}=this.
isoWeekByDay(r2);if(t2>0&&t2>i2||t2<0&&-t2>i2)return n2;let s2=t2>0?t2-1:i2+t2,c2=a2.add({weeks:s2});return n2.push(...this.
addByDayDates(o2,c2)),this.sortedUniqueDateCandidates(n2)}getRscaleCalendarId(){return{GREGORIAN:`gregory`,CHINESE:`chin\
ese`,HEBREW:`hebrew`,INDIAN:`indian`}[this.opts.rscale?.toUpperCase()||``]||null}assertRscaleCalendarSupported(t2){if(t2===
`gregory`||t2===`iso8601`)return;let n2=e2.rscaleCalendarSupport[t2];if(n2===true)return;if(n2===false)throw Error(`RSCA\
LE=${this.opts.rscale} is not supported by the current Temporal/Intl implementation`);let r2=true;try{let e3=od.ZonedDateTime.
from(`2000-01-01T00:00:00+00:00[UTC]`).withCalendar(t2);e3.year,e3.monthCode,e3.day}catch{r2=false}if(e2.rscaleCalendarSupport[t2]=
r2,!r2)throw Error(`RSCALE=${this.opts.rscale} is not supported by the current Temporal/Intl implementation`)}pad2(e3){return String(
e3).padStart(2,`0`)}monthMatchesToken(e3,t2){if(typeof t2==`number`)return e3===`M${this.pad2(t2)}`;if(/^\d+L$/i.test(t2)){
let n2=parseInt(t2,10);return e3===`M${this.pad2(n2)}L`}return false}monthsOfYear(e3,t2){let n2=[];for(let r2=1;r2<=20;r2++)
try{let i2=od.PlainDate.from({calendar:e3,year:t2,month:r2,day:1},{overflow:`reject`});n2.push(i2)}catch{break}return n2}rscaleMonth(e3,t2,n2,r2){
return r2.find(e4=>e4.monthCode===n2)||(this.opts.skip===`BACKWARD`?r2.slice().reverse().find(e4=>e4.monthCode<n2)??this.
startOfYear(e3,t2).subtract({months:1}):this.opts.skip===`FORWARD`?r2.find(e4=>e4.monthCode>n2)??this.startOfYear(e3,t2+
1):null)}startOfYear(e3,t2){return od.PlainDate.from({calendar:e3,year:t2,month:1,day:1})}endOfYear(e3,t2){return this.startOfYear(
e3,t2+1).subtract({days:1})}rscaleFirstWeekStart(e3,t2,n2){let r2=od.PlainDate.from({calendar:e3,year:t2,month:1,day:4}),
i2=(r2.dayOfWeek-n2+7)%7;return r2.subtract({days:i2})}rscaleLastWeekCount(e3,t2,n2){let r2=this.rscaleFirstWeekStart(e3,
t2,n2),i2=this.endOfYear(e3,t2).since(r2).days;return Math.floor(i2/7)+1}lastDayOfMonth(e3){return e3.with({day:1}).add(
{months:1}).subtract({days:1}).day}toRscaleZdt(e3){return od.ZonedDateTime.from(e3.toString())}rscaleDate(e3){return Y.PlainDate.
from(e3.withCalendar(`iso8601`).toString())}rscaleDateAfterUntil(e3){if(!this.opts.until)return false;let t2=this.opts.until.
withTimeZone(this.generationTimeZone).toPlainDate().withCalendar(`iso8601`);return Y.PlainDate.compare(this.rscaleDate(e3),
t2)>0}rscaleMatchesByYearDay(e3,t2){let n2=this.opts.byYearDay;if(!n2||n2.length===0)return true;let r2=this.endOfYear(e3,
t2.year).dayOfYear;return n2.some(e4=>e4>0?t2.dayOfYear===e4:t2.dayOfYear===r2+e4+1)}rscaleMatchesByWeekNo(e3,t2){let n2=this.
opts.byWeekNo;if(!n2||n2.length===0)return true;let r2=X[this.opts.wkst||`MO`],i2=t2.subtract({days:(t2.dayOfWeek-r2+7)%
7}).add({days:(4-r2+7)%7}).year,a2=this.rscaleFirstWeekStart(e3,i2,r2),o2=this.rscaleLastWeekCount(e3,i2,r2),s2=Math.floor(
t2.since(a2).days/7)+1;return n2.some(e4=>e4>0?s2===e4:s2===o2+e4+1)}rscaleMatchesByMonth(e3,t2){let n2=this.opts.byMonth;
return!n2||n2.length===0?true:n2.some(e4=>this.monthMatchesToken(t2.monthCode,e4))}rscaleMatchesByMonthDay(e3){let t2=this.
opts.byMonthDay;if(!t2||t2.length===0)return true;let n2=e3.with({day:1}).add({months:1}).subtract({days:1}).day,r2=e3.day;
return t2.some(e4=>e4>0?r2===e4:r2===n2+e4+1)}rscaleMatchesByDayBasic(e3){let t2=this.opts.byDay;if(!t2||t2.length===0)return true;
let n2=X,r2=t2.map(e4=>qd(e4)).filter(e4=>e4!==null);return r2.length===0?true:r2.some(t3=>n2[t3]===e3.dayOfWeek)}rscaleDateMatches(e3,t2){
return this.rscaleMatchesByMonth(e3,t2)&&this.rscaleMatchesByYearDay(e3,t2)&&this.rscaleMatchesByWeekNo(e3,t2)&&this.rscaleMatchesByMonthDay(
t2)&&this.rscaleMatchesByDayBasic(t2)}applySkipForDay(e3,t2,n2,r2){let i2=this.lastDayOfMonth(n2),a2=this.opts.skip||`OM\
IT`;return r2>=1&&r2<=i2?n2.with({day:r2}):a2===`BACKWARD`?n2.with({day:i2}):a2===`FORWARD`?n2.add({months:1}).with({day:1}):
null}generateMonthlyOccurrencesRscale(e3,t2,n2){let r2=[],i2=this.opts.byMonthDay,a2=this.opts.byDay;if(!a2&&!i2){let i3=this.
toRscaleZdt(this.originalDtstart).withCalendar(e3).day,a3=this.applySkipForDay(e3,t2,n2,i3);return a3&&r2.push(this.rscaleDate(
a3)),r2}let o2=e4=>{r2.push(this.rscaleDate(e4))},s2=this.lastDayOfMonth(n2),c2=e4=>e4>0?e4:s2+e4+1;if(i2&&i2.length>0)for(let r3 of i2){
let i3=c2(r3),a3=this.applySkipForDay(e3,t2,n2,i3);a3&&o2(a3)}if(a2&&a2.length>0){let e4=X,t3={},r3=n2;for(;r3.month===n2.
month&&r3.year===n2.year;){let e5=r3.dayOfWeek;(t3[e5]||=[]).push(r3),r3=r3.add({days:1})}for(let n3 of a2){let r4=Jd(n3);
if(!r4)continue;let i3=r4.ord,a3=t3[e4[r4.weekday]]||[];if(a3.length!==0)if(i3===0)for(let e5 of a3)o2(e5);else{let e5=a3[i3>
0?i3-1:a3.length+i3];e5&&o2(e5)}}}return this.sortedUniqueDateCandidates(r2)}_allRscaleNonGregorian(e3,t2){let n2=this.getRscaleCalendarId();
if(!n2)return this._allFallback(e3);this.assertRscaleCalendarSupported(n2);let r2=[],i2=this.createCandidateWorkBudget(),
a2=0,o2=this.originalDtstart,s2=this.toRscaleZdt(o2).withCalendar(n2),c2=this.opts.interval??1;if(!this.addDtstartIfNeeded(
r2,e3))return this.applyCountLimitAndMergeRDates(r2,e3);if(this.opts.freq===`YEARLY`){let l2=0;for(;;){if(++a2>this.maxIterations)
throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all()`);let u2=s2.year+l2*c2,d2=[],f2=this.opts.byMonth,
p2=this.monthsOfYear(n2,u2),m2=X,h2=m2[this.opts.wkst||`MO`];if(this.opts.byWeekNo&&this.opts.byWeekNo.length>0){let e4=this.
rscaleFirstWeekStart(n2,u2,h2),t3=this.rscaleLastWeekCount(n2,u2,h2),r3=this.opts.byDay?.length?this.opts.byDay.map(e5=>qd(
e5)).filter(e5=>e5!==null):[Object.entries(m2).find(([,e5])=>e5===this.originalDtstart.dayOfWeek)[0]];for(let i3 of this.
opts.byWeekNo){let a3=i3>0?i3-1:t3+i3;if(a3<0||a3>=t3)continue;let o3=e4.add({weeks:a3});for(let e5 of r3){let t4=m2[e5],
r4=o3.add({days:(t4-h2+7)%7});if(!(f2&&f2.length>0&&!f2.some(e6=>this.monthMatchesToken(r4.monthCode,e6)))){if(this.opts.
byYearDay&&this.opts.byYearDay.length>0){let e6=this.endOfYear(n2,u2).dayOfYear;if(!this.opts.byYearDay.some(t5=>{let n3=t5>
0?t5:e6+t5+1;return r4.dayOfYear===n3}))continue}d2.push(this.rscaleDate(r4))}}}}else if(this.opts.byYearDay&&this.opts.
byYearDay.length>0){let e4=this.startOfYear(n2,u2),t3=this.endOfYear(n2,u2).dayOfYear;for(let n3 of this.opts.byYearDay){
let r3=n3>0?n3:t3+n3+1;if(r3<1||r3>t3)continue;let i3=e4.add({days:r3-1});f2&&f2.length>0&&!f2.some(e5=>this.monthMatchesToken(
i3.monthCode,e5))||d2.push(this.rscaleDate(i3))}}else if(!f2||f2.length===0){let e4=this.rscaleMonth(n2,u2,s2.monthCode,
p2),t3=e4?this.applySkipForDay(n2,u2,e4,s2.day):null;t3&&d2.push(this.rscaleDate(t3))}else for(let e4 of f2){let t3=typeof e4==
`number`?`M${this.pad2(e4)}`:`M${this.pad2(parseInt(e4,10))}L`,r3=this.rscaleMonth(n2,u2,t3,p2);r3&&d2.push(...this.generateMonthlyOccurrencesRscale(
n2,u2,r3))}if(d2.length>0&&!this.visitPeriodCandidates(d2,t3=>this.processOccurrence(t3,r2,o2,e3,void 0,i2),t2??o2,this.
opts.until,i2)||(l2++,this.opts.until&&u2>this.toRscaleZdt(this.opts.until).withCalendar(n2).year))break}return this.applyCountLimitAndMergeRDates(
r2,e3)}if(this.opts.freq===`WEEKLY`){let c3=X,l2=c3[this.opts.wkst||`MO`],u2=this.opts.byDay?.length?this.opts.byDay.map(
e4=>qd(e4)).filter(e4=>e4!==null):[Object.entries(c3).find(([,e4])=>e4===this.originalDtstart.dayOfWeek)[0]],d2=s2.toPlainDate().
subtract({days:(s2.dayOfWeek-l2+7)%7});for(;;){if(++a2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}\
) exceeded in all()`);let s3=[];for(let e4 of u2){let t3=c3[e4],r3=d2.add({days:(t3-l2+7)%7});if(this.opts.byWeekNo&&this.
opts.byWeekNo.length>0){let e5=d2.add({days:(4-l2+7)%7}).year,t4=this.rscaleFirstWeekStart(n2,e5,l2),i4=this.rscaleLastWeekCount(
n2,e5,l2),a3=Math.floor(r3.since(t4).days/7)+1;if(!this.opts.byWeekNo.some(e6=>e6>0?a3===e6:a3===i4+e6+1))continue}if(this.
opts.byYearDay&&this.opts.byYearDay.length>0){let e5=this.endOfYear(n2,r3.year).dayOfYear;if(!this.opts.byYearDay.some(t4=>t4>
0?r3.dayOfYear===t4:r3.dayOfYear===e5+t4+1))continue}let i3=this.opts.byMonth;i3&&i3.length>0&&!i3.some(e5=>this.monthMatchesToken(
r3.monthCode,e5))||s3.push(this.rscaleDate(r3))}if(s3.length&&!this.visitPeriodCandidates(s3,t3=>this.processOccurrence(
t3,r2,o2,e3,void 0,i2),t2??o2,this.opts.until,i2))return this.applyCountLimitAndMergeRDates(r2,e3);if(d2=d2.add({weeks:this.
opts.interval??1}),this.rscaleDateAfterUntil(d2))break}return this.applyCountLimitAndMergeRDates(r2,e3)}if(this.opts.freq===
`MONTHLY`){let c3=s2.toPlainDate().with({day:1});for(;;){if(++a2>this.maxIterations)throw Error(`Maximum iterations (${this.
maxIterations}) exceeded in all()`);let s3=c3.year,l2=c3,u2=true,d2=this.opts.byMonth;if(d2&&d2.length>0&&(u2=d2.some(e4=>this.
monthMatchesToken(l2.monthCode,e4))),u2){let a3=this.generateMonthlyOccurrencesRscale(n2,s3,l2);if(!this.visitPeriodCandidates(
a3,t3=>this.processOccurrence(t3,r2,o2,e3,void 0,i2),t2??o2,this.opts.until,i2))break}if(c3=c3.add({months:this.opts.interval??
1}),this.rscaleDateAfterUntil(c3))break}return this.applyCountLimitAndMergeRDates(r2,e3)}if(this.opts.freq===`DAILY`){let c3=s2.
toPlainDate();for(;;){if(++a2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations}) exceeded in all\
()`);if(this.rscaleDateMatches(n2,c3)){let n3=this.rscaleDate(c3);if(!this.visitPeriodCandidates([n3],t3=>this.processOccurrence(
t3,r2,o2,e3,void 0,i2),t2??o2,this.opts.until,i2))break}if(c3=c3.add({days:this.opts.interval??1}),this.rscaleDateAfterUntil(
c3))break}return this.applyCountLimitAndMergeRDates(r2,e3)}if(this.opts.freq===`HOURLY`||this.opts.freq===`MINUTELY`){this.
opts.freq;let c3=this.opts.freq===`HOURLY`?36e5:6e4,l2=this.opts.interval??1,u2=s2.toPlainDate(),d2=this.originalDtstart.
toInstant().epochMilliseconds;for(;;){if(++a2>this.maxIterations)throw Error(`Maximum iterations (${this.maxIterations})\
 exceeded in all()`);if(this.rscaleDateMatches(n2,u2)){let n3=this.rscaleDate(u2);if(!this.visitPeriodCandidates([n3],t3=>{
let n4=t3.toInstant().epochMilliseconds-d2;return Math.floor(n4/c3)%l2===0?this.processOccurrence(t3,r2,o2,e3,void 0,i2):
true},t2??o2,this.opts.until,i2))break}if(u2=u2.add({days:1}),this.rscaleDateAfterUntil(u2))break}return this.applyCountLimitAndMergeRDates(
r2,e3)}return this._allFallback(e3)}};var import_cron_parser=__toESM(require_dist(),1);function assertTimezone(tz){const unusable=`Unknown or unsupported time\
 zone: ${typeof tz==="string"?`"${tz}"`:String(tz)}`;if(typeof tz!=="string"){throw new Error(unusable)}try{import_cron_parser.CronExpressionParser.
parse("* * * * *",{tz,strict:false,currentDate:new Date})}catch{throw new Error(unusable)}}var EPOCH_DTSTART="19700101T000000";var PROPERTIES=new Set(["DTSTART","RRULE","RDATE","EXDATE"]);var PART_OPTIONS={FREQ:"\
freq",UNTIL:"until",COUNT:"count",INTERVAL:"interval",BYSECOND:"bySecond",BYMINUTE:"byMinute",BYHOUR:"byHour",BYDAY:"byD\
ay",BYMONTHDAY:"byMonthDay",BYYEARDAY:"byYearDay",BYWEEKNO:"byWeekNo",BYMONTH:"byMonth",BYSETPOS:"bySetPos",WKST:"wkst",
RSCALE:"rscale",SKIP:"skip"};var PROPERTY=/^([a-z][a-z0-9-]*)[;:]/i;var RRULE_SHAPE=/^[ \t]*[a-z][a-z0-9-]*[;:]|(?:^|[\s;])FREQ=/im;
function isRrule(expression){return RRULE_SHAPE.test(expression)}function toIcs(expression){const lines=[];const dates=[];
let dtstart=null;let rule=null;for(const line of expression.replace(/\r?\n[ \t]/g,"").split(/\r?\n/)){const text=line.trim();
if(text.length===0){continue}const property=PROPERTY.exec(text)?.[1].toUpperCase();const name=property||"RRULE";const value=property?
text.slice(text.indexOf(":")+1):text;assert6(name!=="BEGIN"&&name!=="END","rrule expression should be the DTSTART, RRULE\
, RDATE and EXDATE lines of a calendar entry, without the BEGIN and END lines around them");assert6(PROPERTIES.has(name),
`Unsupported property "${name}" in rrule expression. Supported properties: ${[...PROPERTIES].join(", ")}`);if(name==="DT\
START"){assert6(dtstart===null,"rrule expression has more than one DTSTART");dtstart=value}if(name==="RRULE"){assert6(rule===
null,"rrule expression has more than one RRULE");rule=value;assertParts(value)}if(name==="RDATE"||name==="EXDATE"){dates.
push([name,value])}lines.push(property?text:`RRULE:${text}`)}assert6(rule!==null,"rrule expression has no RRULE to recur\
 on");if(dtstart===null){assert6(!/(^|;)COUNT=/i.test(rule),"rrule expression uses COUNT, which counts occurrences from \
DTSTART, so it needs a DTSTART of its own");lines.unshift(`DTSTART:${EPOCH_DTSTART}`)}assertDates(dates,dtstart??EPOCH_DTSTART);
return{ics:lines.join("\n"),rule}}function assertParts(rule){const named=new Set;for(const part of rule.split(";")){if(part.
length===0){continue}const[name,value=""]=part.toUpperCase().split("=");assert6(value.length>0,`rrule part "${part}" has\
 no value`);assert6(name in PART_OPTIONS||name.startsWith("X-"),`Unsupported part "${part}" in rrule expression`);assert6(
!named.has(name),`rrule expression has more than one ${name} part`);named.add(name)}}function assertDates(dates,dtstart){
const dtstartIsDate=!dtstart.includes("T");for(const[name,value]of dates){for(const date of value.split(",")){const expected=dtstartIsDate?
`a date such as ${date.slice(0,8)}`:`a date time such as ${date}T090000`;assert6(date.includes("T")!==dtstartIsDate,`rru\
le ${name} "${date}" must have the same value type as DTSTART: ${expected}`)}}}function assertValues(rule,built){const options={
...built.options()};for(const part of rule.split(";")){const[name,value=""]=part.split("=");const option=PART_OPTIONS[name.
toUpperCase()];if(option===void 0){continue}const parsed=options[option];const message=`Unsupported value in rrule part \
"${part}"`;assert6(parsed!==void 0,message);if(Array.isArray(parsed)){assert6(parsed.length===new Set(value.toUpperCase().
split(",")).size,message)}}}function buildRule(ics,tz){return new df({rruleString:ics,tzid:tz,strict:true})}function parseRule(expression,tz){
return buildRule(toIcs(expression).ics,tz)}function nextOccurrence(expression,after,tz){const occurrence=parseRule(expression,
tz).next(after);return occurrence===null?null:toDate(occurrence)}function rruleWalker(expression,tz,from){const rule=parseRule(
expression,tz);let after=from;return()=>{const occurrence=rule.next(after);if(occurrence===null){return null}after=toDate(
occurrence);return after}}function occurrencesInWindow(expression,after,until,tz){const occurrences=parseRule(expression,
tz).between(after,new Date(until.getTime()+1));return occurrences.map(toDate)}function toDate(occurrence){return new Date(
occurrence.epochMilliseconds)}var STEP_SECONDS=60*60;var STEP_GROWTH=4;function latestOccurrenceBefore(expression,after,until,tz){
const rule=parseRule(expression,tz);const floor=STEP_SECONDS*1e3;const start=after.getTime();let upper=until.getTime();let width=floor;
let ceiling=Number.POSITIVE_INFINITY;while(upper>start){const lower=Math.max(start,upper-width);let step;try{step=rule.between(
new Date(lower),new Date(upper+1))}catch(err){if(upper-lower<=floor){throw err}ceiling=Math.max(floor,Math.floor((upper-
lower)/2));width=ceiling;continue}if(step.length>0){return toDate(step[step.length-1])}upper=lower;width=Math.min(width*
STEP_GROWTH,ceiling)}return null}function assertRrule(expression,tz){const{ics,rule}=toIcs(expression);assertValues(rule,
buildRule(ics,"UTC"));assertTimezone(tz)}function assertRruleSends(expression,tz,from){assert6(nextOccurrence(expression,
from,tz)!==null,"rrule expression has no occurrence left, so the schedule would never send a job")}async function emitAndPersistWarning(ctx,type,message,data){ctx.emitter.emit(ctx.warningEvent,{message,data});if(ctx.persistWarnings){
try{const sql2=insertWarning(ctx.schema);await ctx.db.executeSql(sql2,[type,message,JSON.stringify(data)])}catch(err){ctx.
emitter.emit(ctx.errorEvent,err)}}}var QUEUES={SEND_IT:"__pgboss__send-it"};var EVENTS={error:"error",schedule:"schedule",warning:"warning"};var WARNINGS={
CLOCK_SKEW:{message:"Warning: Clock skew between this instance and the database server. This will not break scheduling, \
but is emitted any time the skew exceeds 60 seconds."}};var WARNING_TYPES={CLOCK_SKEW:"clock_skew",INVALID_SCHEDULE:"inv\
alid_schedule"};var PREVIEW_DEFAULT_COUNT=5;var PREVIEW_MAX_COUNT=1e3;var PREVIEW_TIME_BUDGET_MS=1e3;var OCCURRENCE_WINDOW_SECONDS=60;
var MISSED_POLICIES=Object.values(SCHEDULE_MISSED_POLICIES);function occurrenceKey(name,key){return`${name.replaceAll("_",
"\\_")}__${key}`}function throttleSlot(instant){const width=OCCURRENCE_WINDOW_SECONDS*1e3;return new Date(Math.floor(instant.
getTime()/width)*width).toISOString().replace("T"," ").slice(0,19)}function claimTaken(value){if(typeof value==="string"){
return["true","t","1"].includes(value.toLowerCase())}return value===true||value===1}function toTime(value){if(value instanceof
Date){return Number.isNaN(value.getTime())?null:value.getTime()}if(typeof value==="string"||typeof value==="number"){const time=new Date(
value).getTime();return Number.isNaN(time)?null:time}if(typeof value==="object"&&value!==null){try{const epoch=value.epochMilliseconds;
if(typeof epoch==="number"&&Number.isFinite(epoch)){return epoch}const millis=value.valueOf();if(typeof millis==="number"&&
Number.isFinite(millis)){return millis}}catch{}}return null}function missedPolicy(options){const missed=options?.missed;
return missed!==void 0&&MISSED_POLICIES.includes(missed)?missed:SCHEDULE_MISSED_POLICIES.skip}function assertMissedPolicy(missed){
assert7(missed===void 0||missed===null||MISSED_POLICIES.includes(missed),`missed must be one of: ${MISSED_POLICIES.join(
", ")}`)}function parseRecurrence(cron,tz,currentDate){import_cron_parser2.CronExpressionParser.parse(cron,{tz:"UTC",strict:false});
assertTimezone(tz);return import_cron_parser2.CronExpressionParser.parse(cron,{tz,strict:false,currentDate})}function assertRecurrence(expression,tz,now){
if(isRrule(expression)){assertRrule(expression,tz)}else{parseRecurrence(expression,tz,now)}}var Timekeeper=class extends EventEmitter2{db;config;manager;stopped=true;cronMonitorTimer;skewMonitorTimer;_timekeeping;_checkingSkew=false;warnedSchedules=new Set;clockSkew=0;events=EVENTS;constructor(db,manager,config){
super();this.db=db;this.config=config;this.manager=manager}get checkingSkew(){return this._checkingSkew}get timekeeping(){
return!!this._timekeeping}get databaseTime(){return this.config.clock.now()+this.clockSkew}get warningContext(){return{emitter:this,
db:this.db,schema:this.config.schema,persistWarnings:this.config.persistWarnings,warningEvent:this.events.warning,errorEvent:this.
events.error}}async start(){if(!this.stopped)return;this.stopped=false;this.warnedSchedules.clear();await this.cacheClockSkew();
await this.manager.createQueue(QUEUES.SEND_IT);const options={pollingIntervalSeconds:this.config.cronWorkerIntervalSeconds,
batchSize:50};await this.manager.work(QUEUES.SEND_IT,options,jobs=>this.onSendIt(jobs));setImmediate(()=>this.onCron());
this.cronMonitorTimer=new ClaimTimer(this.config.clock,this.config.cronMonitorIntervalSeconds,()=>this.onCron());this.cronMonitorTimer.
start();this.scheduleSkewMonitor()}async stop(){if(this.stopped){return}this.stopped=true;await this.manager.offWork(QUEUES.
SEND_IT,{wait:true});if(this.skewMonitorTimer){this.config.clock.clearTimeout(this.skewMonitorTimer);this.skewMonitorTimer=
null}if(this.cronMonitorTimer){this.cronMonitorTimer.stop();this.cronMonitorTimer=null}while(this._timekeeping||this._checkingSkew){
await delay(10)}}scheduleSkewMonitor(){this.skewMonitorTimer=this.config.clock.setTimeout(async()=>{try{await this.cacheClockSkew()}finally{
if(!this.stopped)this.scheduleSkewMonitor()}},this.config.clockMonitorIntervalSeconds*1e3)}async cacheClockSkew(){if(this.
_checkingSkew)return;let skew=0;this._checkingSkew=true;try{if(this.config.__test__force_clock_monitoring_error){throw new Error(
this.config.__test__force_clock_monitoring_error)}if(this.config.__test__delay_clock_skew_ms){await delay(this.config.__test__delay_clock_skew_ms)}
const{rows}=await this.db.executeSql(getTime(this.config.schema));const local=this.config.clock.now();const dbTime=parseFloat(
rows[0].time);skew=dbTime-local;const skewSeconds=Math.abs(skew)/1e3;if(skewSeconds>=60||this.config.__test__force_clock_skew_warning){
await emitAndPersistWarning(this.warningContext,WARNING_TYPES.CLOCK_SKEW,WARNINGS.CLOCK_SKEW.message,{seconds:skewSeconds,
direction:skew>0?"slower":"faster"})}this.clockSkew=skew}catch(err){this.emit(this.events.error,err)}finally{this._checkingSkew=
false}}async onCron(){if(this.stopped||this._timekeeping)return;this._timekeeping=true;try{if(this.config.__test__force_cron_monitoring_error){
throw new Error(this.config.__test__force_cron_monitoring_error)}if(this.config.__test__delay_cron_ms){await delay(this.
config.__test__delay_cron_ms)}const sql2=trySetCronTime(this.config.schema,this.config.cronMonitorIntervalSeconds);if(!this.
stopped){const{rows}=await this.db.executeSql(sql2);const claimed=claimTaken(rows[0]?.claimed);if(claimed){this.cronMonitorTimer?.
anchor()}else{this.cronMonitorTimer?.anchor(this.claimRetryDelay(rows[0]?.elapsed))}if(!this.stopped&&claimed){await this.
cron(rows[0].priorCronOn)}}}catch(err){this.emit(this.events.error,err)}finally{this._timekeeping=false}}claimRetryDelay(elapsed){
const interval=this.config.cronMonitorIntervalSeconds*1e3;const age=Number(elapsed);const remaining=Number.isFinite(age)&&
age>0?Math.max(0,interval-age*1e3):interval;return remaining+Math.min(1e3,interval/4)}async cron(priorCronOn=null){const schedules=await this.
getSchedules();const scheduled=[];const stillBroken=new Set;const relabelled=[];const databaseTime=this.databaseTime;const windowStart=databaseTime-
OCCURRENCE_WINDOW_SECONDS*1e3;const lastPass=toTime(priorCronOn);for(const schedule2 of schedules){const{name,key,data,options,
kind,cron,timezone}=schedule2;const warned=JSON.stringify([name,key,cron,timezone]);const warn=async message=>{stillBroken.
add(warned);if(!this.warnedSchedules.has(warned)){await emitAndPersistWarning(this.warningContext,WARNING_TYPES.INVALID_SCHEDULE,
message,{queue:name,key,cron,timezone})}};let due;try{due=this.dueOccurrences(cron,kind,timezone,databaseTime)}catch(err){
await warn(`Warning: schedule for queue "${name}" (key "${key}") could not be evaluated and was skipped: ${err.message}`);
continue}let missed=null;try{missed=this.missedOccurrence(schedule2,due.kind,lastPass,windowStart)}catch(err){await warn(
`Warning: schedule for queue "${name}" (key "${key}") could not be caught up on the gap since the last cron pass: ${err.
message}`)}if(due.kind!==kind){relabelled.push({name,key,kind:due.kind,cron})}const forwarded={data:{name,key,data,options},
singletonKey:occurrenceKey(name,key)};const slots=new Set;if(missed!==null){slots.add(throttleSlot(missed))}for(const occurrence of due.
occurrences){slots.add(throttleSlot(occurrence))}for(const slot of slots){scheduled.push({...forwarded,data:{...forwarded.
data,slot},__singletonSlot:slot})}}this.warnedSchedules=stillBroken;if(scheduled.length>0&&!this.stopped){await this.manager.
insert(QUEUES.SEND_IT,scheduled,{__singletonSlots:true})}if(relabelled.length>0&&!this.stopped){await this.db.executeSql(
setScheduleKinds(this.config.schema),[JSON.stringify(relabelled)])}}shouldSendIt(expression,tz,kind=SCHEDULE_KINDS.cron){
return this.dueOccurrences(expression,kind,tz).occurrences.length>0}dueOccurrences(expression,kind,tz,databaseTime=this.
databaseTime){try{return{kind,occurrences:this.readOccurrences(expression,kind,tz,databaseTime)}}catch(err){const detected=isRrule(
expression)?SCHEDULE_KINDS.rrule:SCHEDULE_KINDS.cron;if(detected===kind){throw err}return{kind:detected,occurrences:this.
readOccurrences(expression,detected,tz,databaseTime)}}}missedOccurrence(schedule2,kind,lastPass,windowStart){const{cron,
timezone,options,createdOn}=schedule2;if(missedPolicy(options)===SCHEDULE_MISSED_POLICIES.skip||lastPass===null){return null}
const from=Math.max(lastPass,toTime(createdOn)??lastPass);if(from>=windowStart){return null}return this.latestOccurrenceBefore(
cron,kind,timezone,new Date(from),new Date(windowStart))}latestOccurrenceBefore(expression,kind,tz,after,until){if(kind===
SCHEDULE_KINDS.rrule){return latestOccurrenceBefore(expression,after,until,tz)}const interval=import_cron_parser2.CronExpressionParser.
parse(expression,{tz,strict:false,currentDate:new Date(until.getTime()+1)});const occurrence=interval.prev().toDate();return occurrence.
getTime()>after.getTime()?occurrence:null}readOccurrences(expression,kind,tz,databaseTime){const window=new Date(databaseTime-
OCCURRENCE_WINDOW_SECONDS*1e3);if(kind===SCHEDULE_KINDS.rrule){return occurrencesInWindow(expression,window,new Date(databaseTime),
tz)}const interval=import_cron_parser2.CronExpressionParser.parse(expression,{tz,strict:false,currentDate:new Date(databaseTime+
1)});const previous=interval.prev().toDate();return previous.getTime()>window.getTime()?[previous]:[]}reportSendItError(err){
try{this.emit(this.events.error,err)}catch{}}async onSendIt(jobs){const results=await Promise.allSettled(jobs.map(async({
data})=>{const{key,slot,...request}=data;return await this.manager.send(request)}));const fired=new Map;for(const[index,
result]of results.entries()){if(result.status==="rejected"){this.reportSendItError(result.reason);continue}const{name,key,
slot}=jobs[index].data;if(result.value===null||key===void 0){continue}const id2=JSON.stringify([name,key]);const filed=slot??
throttleSlot(new Date(this.databaseTime));const latest=fired.get(id2);if(latest===void 0||latest.slot<=filed){fired.set(
id2,{record:{name,key,jobId:result.value},slot:filed})}}if(fired.size>0){await this.setLastJobIds([...fired.values()].map(
({record})=>record))}}async setLastJobIds(fired){try{const sql2=setScheduleLastJobIds(this.config.schema);await this.db.
executeSql(sql2,[JSON.stringify(fired)])}catch(err){const schedules=fired.map(({name,key})=>`"${name}" (key "${key}")`).
join(", ");const message=`Warning: schedules fired but their last job id could not be recorded for ${schedules}: ${err.message}`;
this.reportSendItError(new Error(message,{cause:err}))}}async getSchedules(name,key){let sql2=getSchedules(this.config.schema);
let params=[];if(name&&key!==void 0){sql2=getSchedulesByQueueAndKey(this.config.schema);params=[name,key]}else if(name){
sql2=getSchedulesByQueue(this.config.schema);params=[name]}const{rows}=await this.db.executeSql(sql2,params);return rows}async getSchedule(name,key=""){
assert7(name,"Name is required");assert7(typeof name==="string","Name must be a string");const[schedule2]=await this.getSchedules(
name,key);return schedule2??null}occurrenceWalker(expression,tz,from){if(isRrule(expression)){assertRrule(expression,tz);
return rruleWalker(expression,tz,from)}const interval=parseRecurrence(expression,tz,from);return()=>interval.next().toDate()}previewSchedule(cron,options={}){
const{count=PREVIEW_DEFAULT_COUNT}=options;const tz=options.tz||"UTC";const from=options.from??new Date(this.databaseTime);
assert7(from instanceof Date&&!Number.isNaN(from.getTime()),"from must be a valid Date");const next2=this.occurrenceWalker(
cron,tz,from);assert7(Number.isInteger(count)&&count>=1&&count<=PREVIEW_MAX_COUNT,`count must be an integer between 1 an\
d ${PREVIEW_MAX_COUNT}`);const deadline=Date.now()+PREVIEW_TIME_BUDGET_MS;const occurrences=[];while(occurrences.length<
count){const occurrence=next2();if(occurrence===null){break}occurrences.push(occurrence);if(occurrences.length<count&&Date.
now()>deadline){throw new Error(`Gave up after ${PREVIEW_TIME_BUDGET_MS}ms with ${occurrences.length} of ${count} occurr\
ences of "${cron}". Ask for fewer and page with \`from\`.`)}}return occurrences}async schedule(name,cron,data,options={}){
const{tz:requestedTz,key="",missed,...rest}=options;const tz=requestedTz||"UTC";const kind=isRrule(cron)?SCHEDULE_KINDS.
rrule:SCHEDULE_KINDS.cron;assertRecurrence(cron,tz,new Date(this.config.clock.now()));if(kind===SCHEDULE_KINDS.rrule){assertRruleSends(
cron,tz,new Date(this.databaseTime))}checkSendArgs([name,data,{...rest}]);assertKey(key);assertMissedPolicy(missed);try{
const sql2=schedule(this.config.schema);await this.db.executeSql(sql2,[name,key,kind,cron,tz,data,options])}catch(err){if(err.
message.includes("foreign key")){err.message=`Queue ${name} not found`}throw err}}async unschedule(name,key=""){const sql2=unschedule(
this.config.schema);await this.db.executeSql(sql2,[name,key])}};var timekeeper_default=Timekeeper;var WORKER_STATES={created:"created",active:"active",stopping:"stopping",stopped:"stopped"};var Worker=class{id;workId;name;options;fetch;onFetch;onError;resolveInterval;clock;jobs=[];createdOn;state=WORKER_STATES.
created;lastFetchedOn=null;lastJobStartedOn=null;lastJobEndedOn=null;lastJobDuration=null;lastError=null;lastErrorOn=null;stopping=false;stopped=false;abortController=null;aborted=false;loopDelayPromise=null;beenNotified=false;runPromise=null;constructor({
id:id2,workId,name,options,resolveInterval,fetch:fetch2,onFetch,onError,clock}){this.clock=clock;this.createdOn=clock.now();
this.id=id2;this.workId=workId;this.name=name;this.options=options;this.fetch=fetch2;this.onFetch=onFetch;this.onError=onError;
this.resolveInterval=resolveInterval}start(){this.runPromise=this.run()}async run(){this.state=WORKER_STATES.active;while(!this.
stopping){const started=this.clock.now();let fetchedCount=0;try{this.beenNotified=false;const jobs=await this.fetch();this.
lastFetchedOn=this.clock.now();if(jobs){fetchedCount=jobs.length;this.jobs=jobs;this.lastJobStartedOn=this.lastFetchedOn;
await this.onFetch(jobs);this.lastJobEndedOn=this.clock.now();this.jobs=[]}}catch(err){this.lastErrorOn=this.clock.now();
this.lastError=err;err.message=`${err.message} (Queue: ${this.name}, Worker: ${this.id})`;this.onError(err)}const duration=this.
clock.now()-started;this.lastJobDuration=duration;const interval=this.resolveInterval(fetchedCount);if(!this.stopping&&!this.
beenNotified&&interval-duration>100){this.loopDelayPromise=clockDelay(this.clock,interval-duration);await this.loopDelayPromise;
this.loopDelayPromise=null}}this.stopping=false;this.stopped=true;this.state=WORKER_STATES.stopped}notify(){this.beenNotified=
true;if(this.loopDelayPromise){this.loopDelayPromise.abort()}}async stop(){if(this.stopped)return;this.stopping=true;this.
state=WORKER_STATES.stopping;if(this.loopDelayPromise){this.loopDelayPromise.abort()}await this.runPromise}abort(){if(!this.
abortController)return;this.aborted=true;if(!this.abortController.signal.aborted){this.abortController.abort()}}toWipData(){
return{id:this.id,workId:this.workId,name:this.name,options:this.options,state:this.state,count:this.jobs.length,createdOn:this.
createdOn,lastFetchedOn:this.lastFetchedOn,lastJobStartedOn:this.lastJobStartedOn,lastJobEndedOn:this.lastJobEndedOn,lastError:this.
lastError,lastErrorOn:this.lastErrorOn,lastJobDuration:this.lastJobDuration}}};var worker_default=Worker;var JobSpy=class{#jobResults=new Map;#pendingPromises=[];clear(){this.#jobResults.clear();this.#pendingPromises=[]}waitForJobWithId(id2,awaitedState){
return this.waitForJob(()=>true,awaitedState,id2)}waitForJob(dataSelector,awaitedState,specificId){const selector=job=>{
if(specificId&&job.id!==specificId){return false}return dataSelector(job.data)};for(const job of this.#jobResults.values()){
if(job.state===awaitedState&&selector(job)){return Promise.resolve(this.#cloneJob(job))}}return this.#registerPromise(selector,
awaitedState)}#registerPromise(selector,awaitedState){let resolve;const promise=new Promise(_resolve=>{resolve=_resolve});
this.#pendingPromises.push({selector,awaitedState,resolve});return promise}#getJobResultKey(id2,state){return`${id2}:${state}`}#cloneJob(job){
return{id:job.id,name:job.name,data:structuredClone(job.data),state:job.state,output:job.output?structuredClone(job.output):
void 0}}addJob(id2,name,data,state,output){const job={id:id2,name,data:structuredClone(data),state,output:output?structuredClone(
output):void 0};const key=this.#getJobResultKey(id2,state);this.#jobResults.set(key,job);const matchingPromises=[];const remainingPromises=[];
for(const pending of this.#pendingPromises){if(pending.awaitedState===state&&pending.selector(job)){matchingPromises.push(
pending)}else{remainingPromises.push(pending)}}this.#pendingPromises=remainingPromises;for(const pending of matchingPromises){
pending.resolve(this.#cloneJob(job))}}};var INTERNAL_QUEUES=Object.values(QUEUES).reduce((acc,i2)=>({...acc,[i2]:i2}),{});var TRANSACTION_ABORTED="25P02";var DEFAULT_POOL_MAX=10;
var WARNING_TYPES2={TRANSACTIONAL_POOL_HEADROOM:"transactional_pool_headroom",TRANSACTION_TIMEOUT_PROBE:"transaction_tim\
eout_probe"};var TRANSACTIONAL_HEARTBEAT_UNSUPPORTED="this backend cannot run a transactional worker on a queue with hea\
rtbeatSeconds: the heartbeat refreshes the claimed row from a pooled connection, which the handler transaction is then r\
efused a write to. Drop heartbeatSeconds and let expireInSeconds bound the job, or drop transactional and settle it with\
 complete({ db })";var TRANSACTIONAL_HEARTBEAT_ON_BATCH="this backend cannot run a transactional handler over a job with\
 heartbeatSeconds: the heartbeat refreshes the claimed row from a pooled connection, which the handler transaction is th\
en refused a write to. The queue carried no heartbeat when this worker registered, so it came from the job (heartbeatSec\
onds on send()) or from the queue after registration. Drop it there and let expireInSeconds bound the job, or drop trans\
actional and settle it with complete({ db })";var TRANSACTION_TIMEOUT_GUCS=["transaction_timeout","idle_in_transaction_s\
ession_timeout"];var TRANSACTION_TIMEOUT_PROBE=`SELECT ${TRANSACTION_TIMEOUT_GUCS.map(name=>`current_setting('${name}', \
true) AS ${name}`).join(", ")}`;var TRANSACTION_TIMEOUT_TIGHTEST="LEAST($2::bigint, NULLIF((SELECT s.setting::bigint FRO\
M pg_settings s WHERE s.name = $1), 0))";var TRANSACTION_TIMEOUT_APPLY=`SELECT set_config($1, ${TRANSACTION_TIMEOUT_TIGHTEST}\
::text, true)`;var TRANSACTION_TIMEOUT_REHEARSE=`SELECT ${TRANSACTION_TIMEOUT_TIGHTEST}`;var TRANSACTION_TIMEOUT_PROBE_COOLDOWN_MS=6e4;
var NUMERIC_METADATA_FIELDS=["priority","retryLimit","retryCount","retryDelay","retryDelayMax","expireInSeconds","heartb\
eatSeconds","deleteAfterSeconds","pendingDependencies","sourceRetryCount"];var NUMERIC_QUEUE_FIELDS=["retryLimit","retry\
Delay","retryDelayMax","expireInSeconds","retentionSeconds","deleteAfterSeconds","heartbeatSeconds","deferredCount","war\
ningQueueSize","queuedCount","readyCount","activeCount","failedCount","totalCount","createdDelta","completedDelta","fail\
edDelta","deltaSeconds"];var STATS_COUNT_FIELDS=["deferredCount","queuedCount","readyCount","activeCount","failedCount",
"totalCount"];var STATS_DELTA_FIELDS=["completedDelta","failedDelta","createdDelta","deltaSeconds"];var QUEUE_STATS_CACHE_TTL_SECONDS=60*
60;var QUEUE_STATS_FORCE_TTL_SECONDS=60;var events={error:"error",warning:"warning",wip:"wip"};var DEPRECATED_FETCH_OPTIONS=[
"priority","orderByCreatedOn"];var DEPRECATED_FETCH_OPTIONS_CODE="PGBOSS_DEP_FETCH_SORT";function rethrowWriteError(err){
if(err?.code===PG_ERROR.divisionByZero){throw new Error("one or more jobs could not be created. This usually means a job\
 id was duplicated, collided with an existing job, or was rejected by a queue policy (short, singleton, stately, or excl\
usive).",{cause:err})}throw err}var Manager=class extends EventEmitter3{events=events;#warnedFetchOptions=new Set;db;config;wipTs;workers;stopped;queueCacheInterval;wipInterval;timekeeper;notifier;queues;pendingOffWorkCleanups;#spies;#handlerSettledJobs;#handlerClaims;#transactionTimeoutGuc;#transactionTimeoutProbeRetryAt;#transactionTimeoutProbeCooldownMs;#warnedTransactionTimeoutProbe;#localGroupActive;#localGroupConfig;#localGroupMaxLimit;constructor(db,config){
super();this.config=config;this.db=db;this.wipTs=config.clock.now();this.workers=new Map;this.queues={};this.pendingOffWorkCleanups=
new Set;this.#spies=new Map;this.#handlerSettledJobs=new WeakMap;this.#handlerClaims=new WeakMap;this.#transactionTimeoutGuc=
null;this.#transactionTimeoutProbeRetryAt=0;this.#transactionTimeoutProbeCooldownMs=config.__test__transactionTimeoutProbeCooldownMs??
TRANSACTION_TIMEOUT_PROBE_COOLDOWN_MS;this.#warnedTransactionTimeoutProbe=false;this.#localGroupActive=new Map;this.#localGroupConfig=
new Map;this.#localGroupMaxLimit=new Map}getSpy(name){if(!this.config.__test__enableSpies){throw new Error("Spy is not e\
nabled. Set __test__enableSpies: true in constructor options to use spies.")}let spy=this.#spies.get(name);if(!spy){spy=
new JobSpy;this.#spies.set(name,spy)}return spy}clearSpies(){for(const spy of this.#spies.values()){spy.clear()}this.#spies.
clear()}#getLocalGroupLimit(queueName,groupTier){const config=this.#localGroupConfig.get(queueName);if(!config)return Infinity;
if(groupTier&&config.tiers&&groupTier in config.tiers){return config.tiers[groupTier]}return config.default}#getGroupsAtLocalCapacity(queueName){
const config=this.#localGroupConfig.get(queueName);if(!config)return[];const queueGroups=this.#localGroupActive.get(queueName);
if(!queueGroups)return[];const maxLimit=this.#localGroupMaxLimit.get(queueName)??config.default;const atCapacity=[];for(const[
groupId,activeCount]of queueGroups.entries()){if(activeCount>=maxLimit){atCapacity.push(groupId)}}return atCapacity}#incrementLocalGroupCount(queueName,groupId){
let queueGroups=this.#localGroupActive.get(queueName);if(!queueGroups){queueGroups=new Map;this.#localGroupActive.set(queueName,
queueGroups)}const current=queueGroups.get(groupId)||0;queueGroups.set(groupId,current+1)}#decrementLocalGroupCount(queueName,groupId){
const queueGroups=this.#localGroupActive.get(queueName);if(!queueGroups)return;const current=queueGroups.get(groupId)||0;
if(current<=1){queueGroups.delete(groupId)}else{queueGroups.set(groupId,current-1)}}#trackJobsActive(name,jobs){const spy=this.
config.__test__enableSpies?this.#spies.get(name):void 0;if(spy){for(const job of jobs){spy.addJob(job.id,name,job.data,"\
active")}}}async#trackJobsCompleted(name,jobs,result,affected){const spy=this.config.__test__enableSpies?this.#spies.get(
name):void 0;if(!spy)return;if(affected===jobs.length){const output=jobs.length===1?result:void 0;for(const job of jobs){
spy.addJob(job.id,name,job.data,"completed",output)}return}for(const job of jobs){const persisted=await this.getJobById(
name,job.id);const state=persisted?.state;if(state==="completed"||state==="failed"||state==="active"||state==="created"){
spy.addJob(job.id,name,job.data,state,persisted?.output)}else if(!persisted){spy.addJob(job.id,name,job.data,"completed",
void 0)}}}async#trackJobsFailed(name,jobs,err){const spy=this.config.__test__enableSpies?this.#spies.get(name):void 0;if(!spy)
return;for(const job of jobs){const persisted=await this.getJobById(name,job.id);if(persisted?.state==="failed"){spy.addJob(
job.id,name,job.data,"failed",persisted.output??{message:err?.message,stack:err?.stack})}}}#trackJobsSettled(name,completed,failed){
const spy=this.config.__test__enableSpies?this.#spies.get(name):void 0;if(!spy)return;for(const{job,output}of completed){
spy.addJob(job.id,name,job.data,"completed",output)}for(const{job,output}of failed){spy.addJob(job.id,name,job.data,"fai\
led",serializeError(output))}}async#settlePerJob(name,jobs,result){if(!Array.isArray(result)){const err=new Error("perJo\
bResults handler must resolve with an array of job results");await this.fail(name,jobs,err);await this.#trackJobsFailed(
name,jobs,err);return}const batch=new Map(jobs.map(job=>[job.id,job]));const disposition=new Map;for(const item of result){
if(item&&batch.has(item.id)&&(item.status==="completed"||item.status==="failed"||item.status==="deadletter")){disposition.
set(item.id,item)}}const completed=[];const failed=[];const deadLettered=[];for(const job of jobs){const item=disposition.
get(job.id);if(item?.status==="completed"){completed.push({job,output:item.output})}else if(item?.status==="failed"){failed.
push({job,output:item.output})}else if(item?.status==="deadletter"){deadLettered.push({job,output:item.output})}else{failed.
push({job,output:new Error("no disposition returned by handler")})}}const items=entries=>entries.map(({job,output})=>({id:job.
id,retryCount:job.retryCount,output}));const completedIds=completed.length>0?await this.#completeWithOutputs(name,items(
completed)):null;const failedIds=failed.length>0?await this.#failWithOutputs(name,items(failed)):null;const deadLetteredIds=deadLettered.
length>0?await this.#failWithOutputs(name,items(deadLettered),true):null;const landed=(entries,result2)=>{const settled=new Set(
result2?.settled??[]);return entries.filter(entry=>settled.has(entry.job.id))};this.#trackJobsSettled(name,landed(completed,
completedIds),[...landed(failed,failedIds),...landed(deadLettered,deadLetteredIds)])}async#completeWithOutputs(name,items){
const{table}=await this.getQueueCache(name);const payload=items.map(item=>({id:item.id,retry_count:item.retryCount,output:this.
mapCompletionDataArg(item.output)}));const ids=items.map(item=>item.id);if(this.config.noMultiMutationCte){const sql3=completeJobsWithOutputsDistributed(
this.config.schema,table);const{rows}=await this.db.executeSql(sql3,[name,JSON.stringify(payload)]);return{jobs:ids,requested:ids.
length,affected:rows.length,settled:rows.map(row=>row.id)}}const sql2=completeJobsWithOutputs(this.config.schema,table);
const result=await this.db.executeSql(sql2,[name,JSON.stringify(payload)]);return this.mapCommandResponse(ids,result)}async#failWithOutputs(name,items,forceTerminal=false){
const{table}=await this.getQueueCache(name);const ids=items.map(item=>item.id);if(this.config.noMultiMutationCte){const outputById=new Map(
items.map(item=>[item.id,this.mapCompletionDataArg(item.output)]));return this.ensureTransaction(this.db,async tx=>{const selectQuery=selectJobsToFailById(
this.config.schema,table,true);const{rows:jobs}=await tx.executeSql(selectQuery.text,[name,ids,attemptPairs(ids,items.map(
item=>item.retryCount))]);if(jobs.length===0){return{jobs:ids,requested:ids.length,affected:0,settled:[]}}const deleteQuery=deleteJobsToFail(
this.config.schema,table);await tx.executeSql(deleteQuery.text,[name,jobs.map(job=>job.id)]);const count=await this.reinsertFailedJobs(
tx,table,jobs,null,outputById,forceTerminal);return{jobs:ids,requested:ids.length,affected:count,settled:jobs.map(job=>job.
id)}})}const payload=items.map(item=>({id:item.id,retry_count:item.retryCount,output:this.mapCompletionDataArg(item.output)}));
const sql2=forceTerminal?deadLetterJobsByIdWithOutputs(this.config.schema,table):failJobsByIdWithOutputs(this.config.schema,
table);const result=await this.db.executeSql(sql2,[name,JSON.stringify(payload)]);return this.mapCommandResponse(ids,result)}#storeLocalGroupConfig(name,localGroupConcurrency){
const config=typeof localGroupConcurrency==="number"?{default:localGroupConcurrency}:localGroupConcurrency;this.#localGroupConfig.
set(name,config);this.#localGroupMaxLimit.set(name,config.tiers?Math.max(config.default,...Object.values(config.tiers)):
config.default)}#cleanupLocalGroupTracking(name){const hasWorkersForQueue=this.getWorkers().some(w2=>w2.name===name&&!w2.
stopping&&!w2.stopped);if(!hasWorkersForQueue){this.#localGroupConfig.delete(name);this.#localGroupActive.delete(name);this.#localGroupMaxLimit.
delete(name)}}#trackLocalGroupStart(name,jobs){const allowed=[];const excess=[];const groupedJobs=[];for(const job of jobs){
if(!job.groupId){allowed.push(job);continue}const currentCount=this.#localGroupActive.get(name)?.get(job.groupId)||0;const limit=this.#getLocalGroupLimit(
name,job.groupTier);if(currentCount<limit){this.#incrementLocalGroupCount(name,job.groupId);allowed.push(job);groupedJobs.
push(job)}else{excess.push(job)}}return{allowed,excess,groupedJobs}}#trackLocalGroupEnd(name,groupedJobs){for(const job of groupedJobs){
if(job.groupId){this.#decrementLocalGroupCount(name,job.groupId)}}}async#processJobs(name,jobs,callback,worker,heartbeatRefreshSeconds,perJobResults=false,transactional=false,transactionTimeoutSeconds){
const jobIds=jobs.map(job=>job.id);const maxExpiration=jobs.reduce((acc,i2)=>Math.max(acc,i2.expireInSeconds),0);const heartbeatCandidates=jobs.
map(j2=>j2.heartbeatSeconds||0).filter(s2=>s2>0);const heartbeatSeconds=heartbeatCandidates.length?Math.min(...heartbeatCandidates):
0;const ac2=new AbortController;const claims=new Map(jobs.map(job=>[job.id,new AbortController]));jobs.forEach(job=>{job.
signal=AbortSignal.any([ac2.signal,claims.get(job.id).signal])});if(worker){worker.abortController=ac2;worker.aborted=false}
let heartbeatTimer=null;if(heartbeatSeconds>0){const refreshSeconds=heartbeatRefreshSeconds??heartbeatSeconds/2;const intervalMs=refreshSeconds*
1e3;heartbeatTimer=this.config.clock.setInterval(async()=>{const held=jobs.filter(job=>!claims.get(job.id).signal.aborted);
if(held.length===0)return;let touched;try{touched=await this.touch(name,held)}catch(err){this.emit(events.error,err);return}
if(!touched.settled)return;const refreshed=new Set(touched.settled);for(const job of held){if(!refreshed.has(job.id)){claims.
get(job.id).abort(new Error(`job ${job.id} is no longer active under this worker's claim`))}}},intervalMs)}let completedResult;
let completedAffected=0;let failedError;let didFail=false;let transaction2=null;try{assert8(!(transactional&&heartbeatSeconds>
0&&this.config.noTransactionalHeartbeat),TRANSACTIONAL_HEARTBEAT_ON_BATCH);if(transactional){const timeoutMs=transactionTimeoutSeconds!==
void 0?transactionTimeoutSeconds*1e3:maxExpiration*1e3+TRANSACTION_ROLLBACK_TIMEOUT_MS;const timeoutGuc=timeoutMs>0?await this.#resolveTransactionTimeoutGuc():
null;transaction2=await this.db.beginTransaction();const settled=new Set;const claims2=new Map(jobs.map(job=>[job.id,job.
retryCount]));for(const db of[transaction2.db,untracked(transaction2.db)]){this.#handlerSettledJobs.set(db,settled);this.#handlerClaims.
set(db,claims2)}if(timeoutGuc){await this.#applyTransactionTimeout(transaction2,timeoutGuc,timeoutMs)}}const handling=transaction2?
callback(jobs,untracked(transaction2.db)):callback(jobs);const result=await resolveWithinSeconds(this.config.clock,handling,
maxExpiration,`handler execution exceeded ${maxExpiration}s`,ac2);if(transaction2&&worker?.aborted){throw new Error("pg-\
boss shut down while the handler was still running")}if(perJobResults){await this.#settlePerJob(name,jobs,result)}else{const settledByHandler=transaction2?
this.#takeHandlerSettles(transaction2):null;const completion=await this.complete(name,jobs,jobIds.length===1?result:void 0,
transaction2?{db:transaction2.db}:void 0);completedResult=result;completedAffected=completion.affected;if(settledByHandler){
this.#assertClaimHeld(jobIds,completion.affected,settledByHandler)}}if(transaction2){await transaction2.commit()}}catch(err){
if(transaction2){await transaction2.rollback();if(err?.code===TRANSACTION_ABORTED){err.message=`${err.message} (the hand\
ler left its transaction aborted: let a SQL error raised through tx propagate out of the handler, or isolate the stateme\
nt with a SAVEPOINT)`}}await this.fail(name,jobs,err);failedError=err;didFail=true}finally{if(heartbeatTimer)this.config.
clock.clearInterval(heartbeatTimer);if(worker){worker.abortController=null}}if(this.config.__test__enableSpies&&this.#spies.
has(name)){if(didFail){await this.#trackJobsFailed(name,jobs,failedError)}else if(!perJobResults){await this.#trackJobsCompleted(
name,jobs,completedResult,completedAffected)}}}async#applyTransactionTimeout(transaction2,guc,timeoutMs){await transaction2.
db.executeSql(TRANSACTION_TIMEOUT_APPLY,[guc,`${Math.round(timeoutMs)}`])}#resolveTransactionTimeoutGuc(){if(!this.#transactionTimeoutGuc&&
Date.now()<this.#transactionTimeoutProbeRetryAt){return Promise.resolve(null)}this.#transactionTimeoutGuc??=this.db.executeSql(
TRANSACTION_TIMEOUT_PROBE).then(({rows})=>TRANSACTION_TIMEOUT_GUCS.find(name=>rows[0][name]!==null)??null).then(async guc=>{
if(guc)await this.db.executeSql(TRANSACTION_TIMEOUT_REHEARSE,[guc,"0"]);return guc}).catch(err=>{this.#transactionTimeoutGuc=
null;this.#transactionTimeoutProbeRetryAt=Date.now()+this.#transactionTimeoutProbeCooldownMs;if(!this.#warnedTransactionTimeoutProbe){
this.#warnedTransactionTimeoutProbe=true;this.emit(events.warning,{message:`could not ask this server which transaction \
timeout it supports, or read the bound it already carries, so transactional handlers run with no database-side bound unt\
il the next probe: ${err.message}`,data:{type:WARNING_TYPES2.TRANSACTION_TIMEOUT_PROBE}})}return null});return this.#transactionTimeoutGuc}#assertClaimHeld(jobIds,affected,settledByHandler){
const accounted=affected+jobIds.filter(id2=>settledByHandler.has(id2)).length;if(accounted<jobIds.length){throw new Error(
`${jobIds.length-accounted} of ${jobIds.length} job(s) were no longer claimed by this worker when the handler returned, \
so the transaction was rolled back. Either something took the claim away (expireInSeconds, a heartbeat the database stop\
ped seeing, an operator's cancel() or fail(), another instance's supervisor), or the handler settled the job with SQL of\
 its own instead of complete(), fail(), cancel() or deleteJob() on { db: tx }`)}}#takeHandlerSettles(transaction2){const settled=this.#handlerSettledJobs.
get(transaction2.db)??new Set;this.#handlerSettledJobs.delete(transaction2.db);this.#handlerSettledJobs.delete(untracked(
transaction2.db));return settled}#trackHandlerSettle(options,response){const settled=options.db&&this.#handlerSettledJobs.
get(options.db);if(!settled)return;const landed=response.settled??(response.affected<response.requested?[]:response.jobs);
for(const id2 of landed){settled.add(id2)}}#handlerAttempts(options,ids){const claims=options.db&&this.#handlerClaims.get(
options.db);if(!claims||!ids.every(id2=>claims.has(id2)))return void 0;return ids.map(id2=>claims.get(id2))}async start(){
this.stopped=false;this.queueCacheInterval=this.config.clock.setInterval(()=>this.onCacheQueues({emit:true}),this.config.
queueCacheIntervalSeconds*1e3);this.wipInterval=this.config.clock.setInterval(()=>{const now=this.config.clock.now();if(now-
this.wipTs<2e3){return}const wip=this.getWipData();if(wip.some(w2=>w2.count>0)){this.emit(events.wip,wip);this.wipTs=now}},
2e3);await this.onCacheQueues()}async onCacheQueues({emit=false}={}){try{assert8(!this.config.__test__throw_queueCache,"\
test error");const queues=await this.getQueues();this.queues=queues.reduce((acc,i2)=>{acc[i2.name]=i2;return acc},{})}catch(error){
emit&&this.emit(events.error,{...error,message:error.message,stack:error.stack})}}async getQueueCache(name){assert8(this.
queues,"Queue cache is not initialized");let queue=this.queues[name];if(queue){return queue}queue=await this.getQueue(name);
if(!queue){throw new Error(`Queue ${name} does not exist`)}this.queues[name]=queue;return queue}#evictQueueCache(name){if(this.
queues)delete this.queues[name]}async stop(){this.stopped=true;this.config.clock.clearInterval(this.queueCacheInterval);
this.config.clock.clearInterval(this.wipInterval);const names=new Set([...this.workers.values()].filter(worker=>!INTERNAL_QUEUES[worker.
name]).map(worker=>worker.name));await Promise.allSettled([...names].map(name=>this.offWork(name,{wait:false})));this.#localGroupConfig.
clear();this.#localGroupActive.clear();this.#localGroupMaxLimit.clear()}async failWip(){for(const worker of this.workers.
values()){const jobIds=worker.jobs.map(j2=>j2.id);if(jobIds.length){try{await this.fail(worker.name,worker.jobs,"pg-boss\
 shut down while active")}catch(err){try{this.emit(events.error,{...err,message:err.message,stack:err.stack,queue:worker.
name,worker:worker.id})}catch{}}}worker.abort()}}async work(name,...args){const{options,callback}=checkWorkArgs(name,args);
if(this.stopped){throw new Error("Workers are disabled. pg-boss is stopped")}const{pollingInterval:interval,notifyPollingInterval:notifyInterval,
burstWhenReadyExceeds,burstWhenBatchFull=false,batchSize=1,includeMetadata=false,priority=true,localConcurrency=1,localGroupConcurrency,
groupConcurrency,orderByCreatedOn=true,heartbeatRefreshSeconds,minPriority,maxPriority,perJobResults=false,transactional=false,
transactionTimeoutSeconds}=options;if(transactional){assert8(typeof this.db.beginTransaction==="function","transactional\
 workers require a database connection pg-boss can open a transaction on: the built-in pool, or a db adapter implementin\
g beginTransaction");await this.#assertTransactionalHeartbeatSupported(name);this.#warnOnTransactionalPoolHeadroom(localConcurrency)}
if(localGroupConcurrency!=null){this.#storeLocalGroupConfig(name,localGroupConcurrency)}const firstWorkerId=randomUUID({
disableEntropyCache:true});const isNotifyActive=()=>!!(this.notifier?.available&&this.queues?.[name]?.notify);const getReadyCount=()=>this.
queues?.[name]?.readyCount??0;const resolveInterval=lastFetchCount=>{const fullBatch=lastFetchCount>=batchSize;const burst=fullBatch&&
(burstWhenReadyExceeds!==void 0&&getReadyCount()>burstWhenReadyExceeds||burstWhenBatchFull&&batchSize>1);if(burst)return 0;
return isNotifyActive()?notifyInterval:interval};const createWorker=(workerId,workId)=>{const fetch2=()=>{const ignoreGroups=localGroupConcurrency!=
null?this.#getGroupsAtLocalCapacity(name):void 0;return this.fetch(name,{batchSize,includeMetadata,priority,orderByCreatedOn,
groupConcurrency,ignoreGroups,minPriority,maxPriority})};const onFetch=async jobs=>{if(!jobs.length)return;if(this.config.
__test__throw_worker)throw new Error("__test__throw_worker");this.emitWip(name);this.#trackJobsActive(name,jobs);const worker=this.
workers.get(workerId);if(localGroupConcurrency==null){await this.#processJobs(name,jobs,callback,worker,heartbeatRefreshSeconds,
perJobResults,transactional,transactionTimeoutSeconds)}else{const{allowed,excess,groupedJobs}=this.#trackLocalGroupStart(
name,jobs);try{if(excess.length>0){const excessIds=excess.map(job=>job.id);await this.restore(name,excessIds);if(worker)
worker.jobs=allowed}if(allowed.length>0){await this.#processJobs(name,allowed,callback,worker,heartbeatRefreshSeconds,perJobResults,
transactional,transactionTimeoutSeconds)}}finally{this.#trackLocalGroupEnd(name,groupedJobs)}}this.emitWip(name)};const onError=error=>{
this.emit(events.error,{...error,message:error.message,stack:error.stack,queue:name,worker:workerId})};return new worker_default(
{id:workerId,workId,name,options,resolveInterval,fetch:fetch2,onFetch,onError,clock:this.config.clock})};for(let i2=0;i2<
localConcurrency;i2++){const workerId=i2===0?firstWorkerId:randomUUID({disableEntropyCache:true});const worker=createWorker(
workerId,firstWorkerId);this.addWorker(worker);worker.start()}return firstWorkerId}async#assertTransactionalHeartbeatSupported(name){
if(!this.config.noTransactionalHeartbeat)return;const queue=await this.getQueue(name).catch(()=>null);assert8(!queue?.heartbeatSeconds,
TRANSACTIONAL_HEARTBEAT_UNSUPPORTED)}#warnOnTransactionalPoolHeadroom(localConcurrency){if(!this.db._pgbdb)return;const max=this.
config.max??DEFAULT_POOL_MAX;const running=[...this.workers.values()].filter(worker=>worker.options.transactional).length;
const pinned=running+localConcurrency;if(pinned<max)return;this.emit(events.warning,{message:`transactional workers can \
hold ${pinned} of this pool's ${max} connections while their handlers run, leaving nothing for fetches, failures, or mai\
ntenance. Raise max above ${pinned}, or lower localConcurrency.`,data:{type:WARNING_TYPES2.TRANSACTIONAL_POOL_HEADROOM,max,
transactionalWorkers:pinned}})}addWorker(worker){this.workers.set(worker.id,worker)}removeWorker(worker){this.workers.delete(
worker.id)}getWorkers(){return Array.from(this.workers.values())}emitWip(name){if(!INTERNAL_QUEUES[name]){const now=this.
config.clock.now();if(now-this.wipTs>2e3){this.emit(events.wip,this.getWipData());this.wipTs=now}}}getWipData(options={}){
const{includeInternal=false}=options;const data=this.getWorkers().map(i2=>i2.toWipData()).filter(i2=>i2.state!=="stopped"&&
(!INTERNAL_QUEUES[i2.name]||includeInternal));return data}hasPendingCleanups(){return this.pendingOffWorkCleanups.size>0}async offWork(name,options={
wait:true}){assert8(name,"queue name is required");assert8(typeof name==="string","queue name must be a string");const query=i2=>i2.
name===name&&(options?.id?i2.id===options.id||i2.workId===options.id:true);const workers=this.getWorkers().filter(query);
if(workers.length===0){return}const cleanupPromise=Promise.allSettled(workers.map(async worker=>{await worker.stop();this.
removeWorker(worker)}));if(options.wait){await cleanupPromise;this.#cleanupLocalGroupTracking(name)}else{this.pendingOffWorkCleanups.
add(cleanupPromise);cleanupPromise.finally(()=>{this.pendingOffWorkCleanups.delete(cleanupPromise);this.#cleanupLocalGroupTracking(
name)})}}notifyWorker(workerId){this.workers.get(workerId)?.notify()}#notifyEnabled(queueNotify){return!!queueNotify&&!this.
config.noListenNotify}notifyQueue(name){for(const worker of this.workers.values()){if(worker.name===name){worker.notify()}}}forceFetchLnWorkers(){
for(const worker of this.workers.values()){if(this.queues?.[worker.name]?.notify){worker.notify()}}}async subscribe(event,name){
assert8(event,"Missing required argument");assert8(name,"Missing required argument");const sql2=subscribe(this.config.schema);
await this.db.executeSql(sql2,[event,name])}async unsubscribe(event,name){assert8(event,"Missing required argument");assert8(
name,"Missing required argument");const sql2=unsubscribe(this.config.schema);await this.db.executeSql(sql2,[event,name])}async publish(event,data,options){
assert8(event,"Missing required argument");const sql2=getQueuesForEvent(this.config.schema);const{rows}=await this.db.executeSql(
sql2,[event]);const results=await Promise.allSettled(rows.map(({name})=>this.send(name,data,options)));const failures=results.
map((result,index)=>({result,name:rows[index].name})).filter(entry=>entry.result.status==="rejected");if(failures.length>
0){throw new AggregateError(failures.map(({name,result})=>`${name}: ${result.reason?.message??result.reason}`),`publish(\
'${event}') failed for ${failures.length} of ${results.length} subscribed queue(s)`)}}async send(...args){const result=checkSendArgs(
args);return await this.createJob(result)}async sendAfter(name,data,options,after){options=options?{...options}:{};options.
startAfter=after;const result=checkSendArgs([name,data,options]);return await this.createJob(result)}async sendThrottled(name,data,options,seconds,key){
options=options?{...options}:{};options.singletonSeconds=seconds;options.singletonNextSlot=false;options.singletonKey=key;
const result=checkSendArgs([name,data,options]);return await this.createJob(result)}async sendDebounced(name,data,options,seconds,key){
options=options?{...options}:{};options.singletonSeconds=seconds;options.singletonNextSlot=true;options.singletonKey=key;
const result=checkSendArgs([name,data,options]);return await this.createJob(result)}#toJobPayload(name,data,options){const{
id:id2=null,priority,startAfter,singletonKey=null,singletonSeconds,expireInSeconds,deleteAfterSeconds,retentionSeconds,retryLimit,
retryDelay,retryBackoff,retryDelayMax,heartbeatSeconds,group,deadLetter=null}=options;return{id:id2,name,data,priority,startAfter,
singletonKey,singletonSeconds,singletonOffset:0,groupId:group?.id??null,groupTier:group?.tier??null,expireInSeconds,deleteAfterSeconds,
retentionSeconds,retryLimit,retryDelay,retryBackoff,retryDelayMax,heartbeatSeconds,deadLetter}}async createJob(request){
const{name,data=null,options={}}=request;const{db:wrapper,singletonSeconds,singletonNextSlot}=options;const job=this.#toJobPayload(
name,data,options);const db=wrapper||this.db;const{table,policy,notify}=await this.getQueueCache(name);if(policy===QUEUE_POLICIES.
key_strict_fifo&&!job.singletonKey){throw new Error(`${QUEUE_POLICIES.key_strict_fifo} queues require a singletonKey`)}const sql2=insertJobs(
this.config.schema,{table,name,returnId:true,notify:this.#notifyEnabled(notify)});const{rows:try1}=await db.executeSql(sql2,
[JSON.stringify([job])]);if(try1.length===1){const jobId=try1[0].id;if(this.config.__test__enableSpies){const spy=this.#spies.
get(name);if(spy){spy.addJob(jobId,name,data||{},"created")}}return jobId}if(singletonNextSlot){job.startAfter=this.getDebounceStartAfter(
singletonSeconds,this.timekeeper.clockSkew);job.singletonOffset=singletonSeconds;const{rows:try2}=await db.executeSql(sql2,
[JSON.stringify([job])]);if(try2.length===1){const jobId=try2[0].id;if(this.config.__test__enableSpies){const spy=this.#spies.
get(name);if(spy){spy.addJob(jobId,name,data||{},"created")}}return jobId}}return null}#toUpdatePayload(data,options){return{
data,priority:options.priority,startAfter:options.startAfter,retentionSeconds:options.retentionSeconds,expireInSeconds:options.
expireInSeconds,deleteAfterSeconds:options.deleteAfterSeconds,retryLimit:options.retryLimit,retryDelay:options.retryDelay,
retryBackoff:options.retryBackoff,retryDelayMax:options.retryDelayMax,deadLetter:options.deadLetter,heartbeatSeconds:options.
heartbeatSeconds,groupId:options.group?.id,groupTier:options.group?.tier,id:options.id,singletonKey:options.singletonKey}}async update(...args){
const request=checkUpdateArgs(args);const{name,data}=request;const opts=request.options??{};assertQueueName(name);const db=this.
assertDb(opts);const{table,notify}=await this.getQueueCache(name);const by=opts.id?"id":"singletonKey";const match=opts.
match??"newest";const payload=JSON.stringify(this.#toUpdatePayload(data,opts));const sql2=updateJob(this.config.schema,table,
name,by,match,this.#notifyEnabled(notify));const{rows}=await db.executeSql(sql2,[payload]);const jobs=rows.map(row=>row.
id);return{jobs,updated:jobs.length}}async upsert(...args){const request=checkUpdateArgs(args,{upsert:true});const{name,
data}=request;const opts=request.options??{};assertQueueName(name);const db=this.assertDb(opts);const{table,policy,notify}=await this.
getQueueCache(name);const by=opts.id?"id":"singletonKey";const match=opts.match??"newest";if(policy===QUEUE_POLICIES.key_strict_fifo&&
!opts.singletonKey){throw new Error(`${QUEUE_POLICIES.key_strict_fifo} queues require a singletonKey`)}const notifyEnabled=this.#notifyEnabled(
notify);const updateSql=updateJob(this.config.schema,table,name,by,match,notifyEnabled);const insertSql=insertJobs(this.
config.schema,{table,name,returnId:true,notify:notifyEnabled});const job=this.#toUpdatePayload(data,opts);const updatePayload=JSON.
stringify(job);const insertPayload=JSON.stringify([job]);const result=await this.ensureTransaction(db,async tx=>{const{rows:updated}=await tx.
executeSql(updateSql,[updatePayload]);if(updated.length){const jobs2=updated.map(row=>row.id);return{jobs:jobs2,updated:jobs2.
length,inserted:0}}const{rows:inserted}=await tx.executeSql(insertSql,[insertPayload]);if(inserted.length){const jobs2=inserted.
map(row=>row.id);return{jobs:jobs2,updated:0,inserted:jobs2.length}}const{rows:retry}=await tx.executeSql(updateSql,[updatePayload]);
const jobs=retry.map(row=>row.id);return{jobs,updated:jobs.length,inserted:0}});if(result.inserted&&this.config.__test__enableSpies){
const spy=this.#spies.get(name);if(spy){for(const id2 of result.jobs){spy.addJob(id2,name,data||{},"created")}}}return result}async insert(name,jobs,options={}){
assert8(Array.isArray(jobs),"jobs argument should be an array");const slots=options.__singletonSlots===true;const seenIds=new Set;
for(const job of jobs){if(job.id!=null){if(seenIds.has(job.id)){throw new Error(`duplicate job id in insert batch: ${job.
id}`)}seenIds.add(job.id)}validateGroupConfig(job)}const{table,policy,notify}=await this.getQueueCache(name);if(policy===
QUEUE_POLICIES.key_strict_fifo){for(const job of jobs){if(!job.singletonKey){throw new Error(`${QUEUE_POLICIES.key_strict_fifo}\
 queues require a singletonKey`)}}}const spy=this.config.__test__enableSpies?this.#spies.get(name):void 0;const dataById=spy?
new Map:void 0;const insertPayload=jobs.map(j2=>{const{blocked,blocking,pendingDependencies,group,__singletonSlot,...rest}=j2;
if(slots&&__singletonSlot!==void 0){Object.assign(rest,{__singletonSlot})}if(group){Object.assign(rest,{groupId:group.id,
groupTier:group.tier})}if(typeof rest.startAfter==="string"){rest.startAfter=pinZonelessDateTime(rest.startAfter)}if(dataById){
rest.id??=randomUUID();dataById.set(rest.id,j2.data??{})}return rest});const db=this.assertDb(options);const returnId=!!spy||
!!options.returnId;const sql2=insertJobs(this.config.schema,{table,name,returnId,notify:this.#notifyEnabled(notify),slots});
const{rows}=await db.executeSql(sql2,[JSON.stringify(insertPayload)]);if(rows.length){if(spy){for(const row of rows){spy.
addJob(row.id,name,dataById.get(row.id),"created")}}return rows.map(i2=>i2.id)}return null}async flow(jobs,options={}){validateFlowJobs(
jobs);const flowJobs=jobs.map(job=>({...job,options:checkSendArgs([{name:job.name,data:job.data,options:job.options}]).options}));
const refToId={};for(const job of flowJobs){refToId[job.ref]=job.options?.id??randomUUID()}const refToJob=new Map(flowJobs.
map(job=>[job.ref,job]));const dependencyCountByRef=new Map;const parentRefs=new Set;const depRows=[];for(const job of flowJobs){
const dependsOn=[...new Set(job.dependsOn??[])];dependencyCountByRef.set(job.ref,dependsOn.length);for(const depRef of dependsOn){
const parentJob=refToJob.get(depRef);parentRefs.add(depRef);depRows.push({child_name:job.name,child_id:refToId[job.ref],
parent_name:parentJob.name,parent_id:refToId[depRef]})}}const byQueue=new Map;for(const job of flowJobs){const group=byQueue.
get(job.name)||[];group.push(job);byQueue.set(job.name,group)}const statements=[];for(const[queueName,queueJobs]of byQueue){
const{table,notify}=await this.getQueueCache(queueName);const insertPayload=queueJobs.map(j2=>{const dependencyCount=dependencyCountByRef.
get(j2.ref)??0;return{id:refToId[j2.ref],name:queueName,data:j2.data??null,priority:j2.options?.priority,startAfter:j2.options?.
startAfter,singletonKey:j2.options?.singletonKey??void 0,singletonSeconds:j2.options?.singletonSeconds,groupId:j2.options?.
group?.id??void 0,groupTier:j2.options?.group?.tier??void 0,expireInSeconds:j2.options?.expireInSeconds,deleteAfterSeconds:j2.
options?.deleteAfterSeconds,retentionSeconds:j2.options?.retentionSeconds,retryLimit:j2.options?.retryLimit,retryDelay:j2.
options?.retryDelay,retryBackoff:j2.options?.retryBackoff,retryDelayMax:j2.options?.retryDelayMax,heartbeatSeconds:j2.options?.
heartbeatSeconds,deadLetter:j2.options?.deadLetter??void 0,blocked:dependencyCount>0||void 0,blocking:parentRefs.has(j2.
ref)||void 0,pendingDependencies:dependencyCount||void 0}});statements.push(insertFlowJobs(this.config.schema,{table,name:queueName},
insertPayload));if(this.#notifyEnabled(notify)){statements.push(notifyQueue(this.config.schema,queueName))}}if(depRows.length>
0){statements.push(insertDependencies(this.config.schema,depRows))}const db=options.db??this.db;const sql2=options.db?statements.
join(";\n"):transaction(statements);try{await db.executeSql(sql2)}catch(err){rethrowWriteError(err)}return refToId}getDebounceStartAfter(singletonSeconds,clockOffset){
const debounceInterval=singletonSeconds*1e3;const now=this.config.clock.now()+clockOffset;const slot=Math.floor(now/debounceInterval)*
debounceInterval;let startAfter=singletonSeconds-Math.floor((now-slot)/1e3)||1;if(singletonSeconds>1){startAfter++}return startAfter}#warnDeprecatedFetchOptions(options){
for(const option of DEPRECATED_FETCH_OPTIONS){if(options[option]===false&&!this.#warnedFetchOptions.has(option)){this.#warnedFetchOptions.
add(option);process.emitWarning(`${option}: false is deprecated and now ignored. Jobs are always fetched in priority and\
 creation order. Remove it; it will be rejected in the next major.`,"DeprecationWarning",DEPRECATED_FETCH_OPTIONS_CODE)}}}async fetch(name,options={}){
checkFetchArgs(name,options);this.#warnDeprecatedFetchOptions(options);const db=this.assertDb(options);const{table,policy,
singletonsActive}=await this.getQueueCache(name);const fetchOptions={...options,schema:this.config.schema,table,name,policy,
limit:options.batchSize||1,ignoreSingletons:singletonsActive};const query=fetchNextJob(fetchOptions,this.config.noSkipLocked);
let result;try{result=await db.executeSql(query.text,query.values)}catch(err){if(err?.code!=="23505")throw err}const rows=result?.
rows||[];return this.#numericJobFields(rows)}mapAttemptArg(id2,funcName){assert8(id2,`${funcName}() requires an id`);const items=Array.
isArray(id2)?id2:[id2];assert8(items.length,`${funcName}() requires an id`);if(items.every(item=>typeof item==="string")){
return{ids:items}}const jobs=items;assert8(jobs.every(job=>job&&typeof job==="object"&&typeof job.id==="string"&&Number.
isInteger(job.retryCount)&&job.retryCount>=0),`${funcName}() requires either ids or jobs with an id and an integer retry\
Count, not a mix`);return{ids:jobs.map(job=>job.id),attempts:jobs.map(job=>job.retryCount)}}mapCompletionIdArg(id2,funcName){
const errorMessage=`${funcName}() requires an id`;assert8(id2,errorMessage);const ids=Array.isArray(id2)?id2:[id2];assert8(
ids.length,errorMessage);return ids}mapCompletionDataArg(data){if(data===null||typeof data==="undefined"||typeof data===
"function"){return null}const result=typeof data==="object"&&!Array.isArray(data)?data:{value:data};return serializeError(
result)}mapCommandResponse(ids,result){return{jobs:ids,requested:ids.length,affected:result&&result.rows?parseInt(result.
rows[0].count):0,settled:result?.rows?.[0]?.ids}}async complete(name,id2,data,options={}){assertQueueName(name);const db=this.
assertDb(options);const{ids,attempts:fetched}=this.mapAttemptArg(id2,"complete");const attempts=fetched??this.#handlerAttempts(
options,ids);const{table}=await this.getQueueCache(name);const outputData=this.mapCompletionDataArg(data);let response;if(this.
config.noMultiMutationCte){response=await this.completeDistributed(name,ids,outputData,table,db,options.includeQueued,attempts)}else{
const sql2=completeJobs(this.config.schema,table,options.includeQueued,!!attempts);const result=await db.executeSql(sql2,
attempts?[name,ids,outputData,attemptPairs(ids,attempts)]:[name,ids,outputData]);response=this.mapCommandResponse(ids,result)}
this.#trackHandlerSettle(options,response);return response}async ensureTransaction(db,fn2){if(db===this.db&&this.db._pgbdb){
return this.db.withTransaction(fn2)}return fn2(db)}async completeDistributed(name,ids,outputData,table,db,includeQueued,attempts){
const sql2=completeJobsDistributed(this.config.schema,table,includeQueued,!!attempts);const{rows}=await db.executeSql(sql2,
attempts?[name,ids,outputData,attemptPairs(ids,attempts)]:[name,ids,outputData]);return{jobs:ids,requested:ids.length,affected:rows.
length,settled:rows.map(row=>row.id)}}async fail(name,id2,data,options={}){assertQueueName(name);const db=this.assertDb(
options);const{ids,attempts:fetched}=this.mapAttemptArg(id2,"fail");const attempts=fetched??this.#handlerAttempts(options,
ids);const{table}=await this.getQueueCache(name);const outputData=this.mapCompletionDataArg(data);let response;if(this.config.
noMultiMutationCte){response=await this.failDistributed(name,ids,outputData,table,db,attempts)}else{const sql2=failJobsById(
this.config.schema,table,!!attempts);const result=await db.executeSql(sql2,attempts?[name,ids,outputData,attemptPairs(ids,
attempts)]:[name,ids,outputData]);response=this.mapCommandResponse(ids,result)}this.#trackHandlerSettle(options,response);
return response}async failDistributed(name,ids,outputData,table,db,attempts){return this.ensureTransaction(db,async tx=>{
const selectQuery=selectJobsToFailById(this.config.schema,table,!!attempts);const{rows:jobs}=await tx.executeSql(selectQuery.
text,attempts?[name,ids,attemptPairs(ids,attempts)]:[name,ids]);if(jobs.length===0){return{jobs:ids,requested:ids.length,
affected:0,settled:[]}}const deleteQuery=deleteJobsToFail(this.config.schema,table);await tx.executeSql(deleteQuery.text,
[name,jobs.map(job=>job.id)]);const count=await this.reinsertFailedJobs(tx,table,jobs,outputData);return{jobs:ids,requested:ids.
length,affected:count,settled:jobs.map(job=>job.id)}})}async failJobsByTimeoutDistributed(table,queues){const select=selectJobsToFailByTimeout(
this.config.schema,table,queues);return this.expireJobsDistributed(table,select,{value:{message:"job timed out"}})}async failJobsByHeartbeatDistributed(table,queues){
const select=selectJobsToFailByHeartbeat(this.config.schema,table,queues);return this.expireJobsDistributed(table,select,
{value:{message:"job heartbeat timeout"}})}async resolveFlowJobsDistributed(table,names){const select=selectBlockingParents(
this.config.schema,table,names,this.config.noSkipLocked);return this.ensureTransaction(this.db,async tx=>{const{rows}=await tx.
executeSql(select.text,select.values);if(rows.length===0){return 0}const idsByName=new Map;for(const row of rows){const list2=idsByName.
get(row.name)||[];list2.push(row.id);idsByName.set(row.name,list2)}const decrementSql=decrementDependents(this.config.schema);
const clearSql=clearBlocking(this.config.schema);for(const[name,ids]of idsByName){await tx.executeSql(decrementSql,[name,
ids]);await tx.executeSql(clearSql,[name,ids])}return rows.length})}async expireJobsDistributed(table,select,outputData){
return this.ensureTransaction(this.db,async tx=>{const{rows:jobs}=await tx.executeSql(select.text,[]);if(jobs.length===0){
return 0}const ids=jobs.map(job=>job.id);const deleteSql=deleteJobsByIds(this.config.schema,table);await tx.executeSql(deleteSql.
text,[ids]);return this.reinsertFailedJobs(tx,table,jobs,outputData)})}async reinsertFailedJobs(tx,table,jobs,outputData,outputById,forceTerminal=false){
const insertSql=insertRetryJob(this.config.schema,table);const dlqSql=insertDeadLetterJob(this.config.schema);let count=0;
for(const job of jobs){const jobOutput=outputById?outputById.get(job.id)??null:outputData;const retryCount=Number(job.retry_count);
const retryLimit=Number(job.retry_limit);const retryDelay=Number(job.retry_delay);const retryDelayMax=job.retry_delay_max!=
null?Number(job.retry_delay_max):null;const startedOn=job.started_on_text??job.started_on;const singletonOn=job.singleton_on_text??
job.singleton_on;const createdOn=job.created_on_text??job.created_on;const keepUntil=job.keep_until_text??job.keep_until;
const startAfterColumn=job.start_after_text??job.start_after;const sourceCreatedOn=job.source_created_on_text??job.source_created_on;
const canRetry=!forceTerminal&&retryCount<retryLimit;let retried=false;if(canRetry){let startAfter=startAfterColumn;if(!job.
retry_backoff){startAfter=new Date(this.config.clock.now()+retryDelay*1e3)}else{const exp=Math.min(16,retryCount+1);const delay2=Math.
max(retryDelay,1)*(Math.pow(2,exp)/2+Math.pow(2,exp)/2*Math.random());const cappedDelay=retryDelayMax!=null?Math.min(retryDelayMax,
delay2):delay2;startAfter=new Date(this.config.clock.now()+cappedDelay*1e3)}const{rows}=await tx.executeSql(insertSql,[job.
id,job.name,job.priority,job.data,"retry",job.retry_limit,job.retry_count,job.retry_delay,job.retry_backoff,job.retry_delay_max,
startAfter,startedOn,job.singleton_key,singletonOn,job.group_id,job.group_tier,job.expire_seconds,job.deletion_seconds,createdOn,
null,keepUntil,job.policy,jobOutput,job.dead_letter,null,job.heartbeat_seconds,job.blocked,job.blocking,job.pending_dependencies,
job.source_name,job.source_id,sourceCreatedOn,job.source_retry_count,job.source_output,job.source_root_id]);retried=rows.
length>0}if(!retried){await tx.executeSql(insertSql,[job.id,job.name,job.priority,job.data,"failed",job.retry_limit,job.
retry_count,job.retry_delay,job.retry_backoff,job.retry_delay_max,startAfterColumn,startedOn,job.singleton_key,singletonOn,
job.group_id,job.group_tier,job.expire_seconds,job.deletion_seconds,createdOn,new Date(this.config.clock.now()),keepUntil,
job.policy,jobOutput,job.dead_letter,null,job.heartbeat_seconds,job.blocked,job.blocking,job.pending_dependencies,job.source_name,
job.source_id,sourceCreatedOn,job.source_retry_count,job.source_output,job.source_root_id]);if(job.dead_letter){await tx.
executeSql(dlqSql,[job.dead_letter,job.data,jobOutput,job.name,job.id,createdOn,job.retry_count,job.singleton_key,job.priority,
job.group_id,job.group_tier,job.source_root_id])}}count++}return count}async deleteJob(name,id2,options={}){assertQueueName(
name);const db=this.assertDb(options);const{ids,attempts:fetched}=this.mapAttemptArg(id2,"deleteJob");const attempts=fetched??
this.#handlerAttempts(options,ids);const{table}=await this.getQueueCache(name);const sql2=deleteJobsById(this.config.schema,
table,!!attempts);const result=await db.executeSql(sql2,attempts?[name,ids,attemptPairs(ids,attempts)]:[name,ids]);const response=this.
mapCommandResponse(ids,result);this.#trackHandlerSettle(options,response);return response}#redriveFilterValues(options){
const{destination,sourceName,data,createdBefore,ids}=options;if(destination!==void 0){assertQueueName(destination)}if(sourceName!==
void 0){assertQueueName(sourceName)}if(data!==void 0){assert8(data!==null&&typeof data==="object"&&!Array.isArray(data),
"data must be an object")}if(createdBefore!==void 0){assert8(createdBefore instanceof Date&&!Number.isNaN(createdBefore.
getTime()),"createdBefore must be a valid Date")}if(ids!==void 0){assert8(Array.isArray(ids)&&ids.length>0&&ids.every(id2=>typeof id2===
"string"),"ids must be a non-empty array of strings")}return[destination??null,sourceName??null,data!==void 0?JSON.stringify(
data):null,createdBefore??null,ids??null]}async redrive(name,options={}){assertQueueName(name);const{limit=1e3}=options;
const filter=this.#redriveFilterValues(options);assert8(Number.isInteger(limit)&&limit>=1,"limit must be an integer >= 1");
const db=this.assertDb(options);const{table}=await this.getQueueCache(name);if(this.config.noMultiMutationCte){return this.
ensureTransaction(db,async tx=>{const{rows}=await tx.executeSql(selectRedriveCandidates(this.config.schema,table),[name,
...filter,limit]);if(rows.length===0)return 0;const ids=rows.map(row=>row.id);const newIds=rows.map(row=>row.new_id);const{
rows:inserted}=await tx.executeSql(insertRedrivenJobs(this.config.schema,table),[ids,filter[0],newIds]);const created=new Set(
inserted.map(row=>row.id));const moved=ids.filter((_2,i2)=>created.has(newIds[i2]));const conflicted=ids.filter((_2,i2)=>!created.
has(newIds[i2]));if(moved.length)await tx.executeSql(deleteJobsByIds(this.config.schema,table).text,[moved]);if(conflicted.
length)await tx.executeSql(failRedriveConflicts(this.config.schema,table),[conflicted,filter[0]]);return moved.length})}
const sql2=redriveJobs(this.config.schema,table);const result=await db.executeSql(sql2,[name,...filter,limit]);return Number(
result.rows[0].moved)}async previewRedrive(name,options={}){assertQueueName(name);const filter=this.#redriveFilterValues(
options);const db=this.assertDb(options);const{table}=await this.getQueueCache(name);const sql2=previewRedrive(this.config.
schema,table);const{rows}=await db.executeSql(sql2,[name,...filter]);const destinations=[];let unroutable=0;for(const row of rows){
const count=Number(row.count);if(row.routable)destinations.push({name:row.destination,count});else unroutable+=count}destinations.
sort((a2,b2)=>b2.count-a2.count||a2.name.localeCompare(b2.name));return{total:destinations.reduce((sum,d2)=>sum+d2.count,
unroutable),destinations,unroutable}}async cancel(name,id2,options={}){assertQueueName(name);const db=this.assertDb(options);
const{ids,attempts:fetched}=this.mapAttemptArg(id2,"cancel");const attempts=fetched??this.#handlerAttempts(options,ids);
const{table}=await this.getQueueCache(name);const sql2=cancelJobs(this.config.schema,table,!!attempts);const result=await db.
executeSql(sql2,attempts?[name,ids,attemptPairs(ids,attempts)]:[name,ids]);const response=this.mapCommandResponse(ids,result);
this.#trackHandlerSettle(options,response);return response}async resume(name,id2,options={}){assertQueueName(name);const db=this.
assertDb(options);const ids=this.mapCompletionIdArg(id2,"resume");const{table}=await this.getQueueCache(name);const sql2=resumeJobs(
this.config.schema,table);const result=await db.executeSql(sql2,[name,ids]);return this.mapCommandResponse(ids,result)}async restore(name,id2,options={}){
assertQueueName(name);const db=this.assertDb(options);const ids=this.mapCompletionIdArg(id2,"restore");const{table}=await this.
getQueueCache(name);const sql2=restoreJobs(this.config.schema,table);await db.executeSql(sql2,[name,ids])}async retry(name,id2,options={}){
assertQueueName(name);const db=options.db||this.db;const ids=this.mapCompletionIdArg(id2,"retry");const{table}=await this.
getQueueCache(name);const sql2=retryJobs(this.config.schema,table);const result=await db.executeSql(sql2,[name,ids]);return this.
mapCommandResponse(ids,result)}async touch(name,id2,options={}){assertQueueName(name);const db=this.assertDb(options);const{
ids,attempts}=this.mapAttemptArg(id2,"touch");const{table}=await this.getQueueCache(name);const sql2=touchJobs(this.config.
schema,table,!!attempts);const result=await db.executeSql(sql2,attempts?[name,ids,attemptPairs(ids,attempts)]:[name,ids]);
return this.mapCommandResponse(ids,result)}async createQueue(name,options={}){name=name||options.name;assertQueueName(name);
const policy=options.policy||QUEUE_POLICIES.standard;assert8(policy in QUEUE_POLICIES,`${policy} is not a valid queue po\
licy`);validateQueueArgs(options);if(options.deadLetter){assertQueueName(options.deadLetter);notStrictEqual(name,options.
deadLetter,"deadLetter cannot be itself");await this.getQueueCache(options.deadLetter)}const sql2=createQueue(this.config.
schema,name,{...options,policy},this.config.noAdvisoryLocks);await this.db.executeSql(sql2);this.#evictQueueCache(name)}async getBlockedKeys(name){
assertQueueName(name);const{table,policy}=await this.getQueueCache(name);if(policy!==QUEUE_POLICIES.key_strict_fifo){throw new Error(
`getBlockedKeys is only available for ${QUEUE_POLICIES.key_strict_fifo} queues`)}const sql2=getBlockedKeys(this.config.schema,
table);const{rows}=await this.db.executeSql(sql2,[name]);return rows.map(row=>row.singletonKey)}async getQueues(names){names=
Array.isArray(names)?names:typeof names==="string"?[names]:void 0;if(names){for(const name of names){assertQueueName(name)}}
const query=getQueues(this.config.schema,names);const{rows}=await this.db.executeSql(query.text,query.values);if(this.config.
backend==="cockroachdb"){for(const row of rows){for(const field of NUMERIC_QUEUE_FIELDS){if(row[field]!==void 0&&row[field]!==
null)row[field]=Number(row[field])}}}return rows}async updateQueue(name,options={}){assertQueueName(name);assert8(Object.
keys(options).length>0,"no properties found to update");if("policy"in options){throw new Error("queue policy cannot be c\
hanged after creation")}if("partition"in options){throw new Error("queue partitioning cannot be changed after creation")}
validateQueueArgs(options);const{deadLetter}=options;if(deadLetter!==null&&deadLetter!==void 0){assertQueueName(deadLetter);
notStrictEqual(name,deadLetter,"deadLetter cannot be itself")}const sql2=updateQueue(this.config.schema);await this.db.executeSql(
sql2,[name,options]);this.#evictQueueCache(name)}async getQueue(name){const rows=await this.getQueues([name]);return rows[0]||
null}async deleteQueue(name){assertQueueName(name);try{await this.getQueueCache(name)}catch{return}const sql2=deleteQueue(
this.config.schema,name,this.config.noAdvisoryLocks);await this.db.executeSql(sql2);this.#evictQueueCache(name)}async deleteQueuedJobs(name){
assertQueueName(name);const{table}=await this.getQueueCache(name);const sql2=deleteQueuedJobs(this.config.schema,table);
await this.db.executeSql(sql2,[name])}async deleteStoredJobs(name){assertQueueName(name);const{table}=await this.getQueueCache(
name);const sql2=deleteStoredJobs(this.config.schema,table);await this.db.executeSql(sql2,[name])}async deleteAllJobs(name){
if(!name){const sql2=truncateTable(this.config.schema,BASE_JOB_TABLE);await this.db.executeSql(sql2);return}assertQueueName(
name);const{table,partition}=await this.getQueueCache(name);if(partition){const sql2=truncateTable(this.config.schema,table);
await this.db.executeSql(sql2)}else{const sql2=deleteAllJobs(this.config.schema,table);await this.db.executeSql(sql2,[name])}}async getQueueStats(name,options={}){
assertQueueName(name);const isCockroach=this.config.backend==="cockroachdb";const toSnapshot=(row,counted2=false)=>{const snapshot={
name,deferredCount:0,queuedCount:0,readyCount:0,activeCount:0,failedCount:0,totalCount:0,completedDelta:null,failedDelta:null,
createdDelta:null,deltaSeconds:null,deltaOn:null,capturedOn:row?.capturedOn??new Date(this.config.clock.now())};for(const field of counted2?
[...STATS_COUNT_FIELDS,...STATS_DELTA_FIELDS]:STATS_COUNT_FIELDS){const value=row?.[field];if(value!==void 0&&value!==null)
snapshot[field]=isCockroach?Number(value):value}if(counted2&&row?.deltaOn!=null)snapshot.deltaOn=row.deltaOn;return snapshot};
if(this.config.persistQueueStats){await this.getQueueCache(name);const{from=null,to:to2=null,limit=1e3,bucketSeconds,maxDataPoints,
aggregate="max"}=options;assert8(Number.isInteger(limit)&&limit>=1&&limit<=1e5,"getQueueStats: limit must be an integer \
between 1 and 100000");if(bucketSeconds!==void 0||maxDataPoints!==void 0){assert8(aggregate==="max"||aggregate==="min"||
aggregate==="avg","getQueueStats: aggregate must be 'max', 'min', or 'avg'");const mode=bucketSeconds!==void 0?"bucket":
"auto";const width=bucketSeconds??maxDataPoints;assert8(Number.isInteger(width)&&width>=1,`getQueueStats: ${mode==="buck\
et"?"bucketSeconds":"maxDataPoints"} must be a positive integer`);const sql3=getQueueStatsHistoryBucketed(this.config.schema,
aggregate,mode);const{rows:rows2}=await this.db.executeSql(sql3,[name,from,to2,limit,width]);return rows2.map(row=>toSnapshot(
row,true))}const sql2=getQueueStatsHistory(this.config.schema);const{rows}=await this.db.executeSql(sql2,[name,from,to2,
limit]);return rows.map(row=>toSnapshot(row,true))}const cacheSql=getQueueStatsCache(this.config.schema);const{rows:cacheRows}=await this.
db.executeSql(cacheSql,[name]);const cached=cacheRows.at(0);if(!cached){throw new Error(`Queue ${name} does not exist`)}
const maxCacheAgeMs=(options.force?QUEUE_STATS_FORCE_TTL_SECONDS:Math.max(QUEUE_STATS_CACHE_TTL_SECONDS,this.config.monitorIntervalSeconds??
0,this.config.superviseIntervalSeconds??0))*1e3;const cacheAgeMs=cached.cacheAgeMs==null?Infinity:Number(cached.cacheAgeMs);
if(cached.monitorBackoff===true&&cached.capturedOn!=null){return[toSnapshot(cached)]}if(cacheAgeMs<=maxCacheAgeMs){return[
toSnapshot(cached)]}const refreshSql=refreshQueueStats(this.config.schema,cached.table,name,{noAdvisoryLocks:this.config.
noAdvisoryLocks,firstCapture:cached.capturedOn==null});const{rows:refreshed}=await this.db.executeSql(refreshSql);return[
toSnapshot(refreshed.at(0)??cached)]}async getJobById(name,id2,options={}){assertQueueName(name);const db=this.assertDb(
options);const{table}=await this.getQueueCache(name);const sql2=getJobById(this.config.schema,table);const result1=await db.
executeSql(sql2,[name,id2]);if(result1?.rows?.length===1){return this.#numericJobFields(result1.rows)[0]}else{return null}}async findJobs(name,options={}){
assertQueueName(name);const db=this.assertDb(options);const{table}=await this.getQueueCache(name);const{id:id2,key,data,
queued=false}=options;const sql2=findJobs(this.config.schema,table,{byId:id2!==void 0,byKey:key!==void 0,byData:data!==void 0,
queued});const values=[name];if(id2!==void 0)values.push(id2);if(key!==void 0)values.push(key);if(data!==void 0)values.push(
JSON.stringify(data));const result=await db.executeSql(sql2,values);return this.#numericJobFields(result?.rows||[])}#numericJobFields(rows){
if(this.config.backend!=="cockroachdb")return rows;for(const row of rows){for(const field of NUMERIC_METADATA_FIELDS){if(row[field]!==
void 0&&row[field]!==null)row[field]=Number(row[field])}}return rows}async getDependencies(name,id2,options={}){assertQueueName(
name);const db=this.assertDb(options);const sql2=getDependencies(this.config.schema);const{rows}=await db.executeSql(sql2,
[name,id2]);return rows.map(r2=>({name:r2.parentName,id:r2.parentId}))}async getDependents(name,id2,options={}){assertQueueName(
name);const db=this.assertDb(options);const sql2=getDependents(this.config.schema);const{rows}=await db.executeSql(sql2,
[name,id2]);return rows.map(r2=>({name:r2.childName,id:r2.childId}))}assertDb(options){if(options.db){return options.db}
if(this.db._pgbdb){assert8(this.db.opened,"Database connection is not opened")}return this.db}};var manager_default=Manager;import EventEmitter4 from"node:events";var events2={error:"error",warning:"warning"};var WARNINGS2={SLOW_QUERY:{seconds:30,message:"Warning: slow query. Your q\
ueues and/or database server should be reviewed"},LARGE_QUEUE:{size:1e4,message:"Warning: large queue backlog"},XMIN_HORIZON:{
message:"Warning: the database transaction horizon is pinned, so completed jobs cannot be cleaned up"},AUTOVACUUM_DISABLED:{
message:"Warning: autovacuum is disabled, so nothing is reclaiming completed jobs"},MONITOR_BACKOFF:{message:"Warning: q\
ueue monitoring spent long enough scanning the job table to risk holding back autovacuum, so the next stats refresh is d\
eferred"}};var WARNING_TYPES3={SLOW_QUERY:"slow_query",QUEUE_BACKLOG:"queue_backlog",INDEX_BLOAT:"index_bloat",XMIN_HORIZON:"\
xmin_horizon",AUTOVACUUM_DISABLED:"autovacuum_disabled",MONITOR_BACKOFF:"monitor_backoff"};var XMIN_HOLDERS={backends:"a\
 backend holding an open transaction",slots:"a replication slot",slotsCatalog:"a replication slot (catalog xmin)",standbys:"\
a standby with hot_standby_feedback enabled",prepared:"a prepared transaction"};function describeXminHolder(source,row){
const holder=source==="backends"?row.backendHolder:null;if(!holder)return XMIN_HOLDERS[source];const app=holder.applicationName||
null;const where=[app&&`application_name '${app}'`,holder.userName&&`role ${holder.userName}`,`pid ${holder.pid}`].filter(
Boolean).join(", ");const open=holder.xactSeconds===null||holder.xactSeconds===void 0?"for an unreadable length of time":
`for ${holder.xactSeconds}s`;const who=!app?"a backend with no application_name":app===row.selfApplicationName?"this app\
lication's own connection":"another application";return`${who} (${where}) has held a transaction open ${open}`}var IN_TRANSACTION_ERROR="\
25001";var Boss=class extends EventEmitter4{#stopped;#stopping;#maintaining;#superviseTimer;#db;#config;#manager;#slowQuerySeconds;#largeQueueSize;#reindexUnavailable=null;#warnedBloat=new Set;#detectOnly=0;#warnedXminHorizon=false;#warnedAutovacuumDisabled=false;#garbageEvidence=new Map;#xminHorizonSources=null;#statsElapsedSeconds=0;events=events2;constructor(db,manager,config){
super();this.#db=db;this.#config=config;this.#manager=manager;this.#stopped=true;this.#stopping=false;this.#slowQuerySeconds=
config.warningSlowQuerySeconds||WARNINGS2.SLOW_QUERY.seconds;this.#largeQueueSize=config.warningQueueSize||WARNINGS2.LARGE_QUEUE.
size}get maintaining(){return!!this.#maintaining}async start(){if(this.#stopped){this.#stopping=false;if(this.#config.supervise){
this.#superviseTimer=new ClaimTimer(this.#config.clock,this.#config.superviseIntervalSeconds,()=>this.#onSupervise());this.#superviseTimer.
start()}this.#stopped=false}}async stop(){if(!this.#stopped){this.#stopping=true;if(this.#superviseTimer)this.#superviseTimer.
stop();this.#stopped=true;while(this.#maintaining){await delay(10)}}}get#warningContext(){return{emitter:this,db:this.#db,
schema:this.#config.schema,persistWarnings:this.#config.persistWarnings,warningEvent:events2.warning,errorEvent:events2.
error}}async#executeQuery(query){if(typeof query==="string"){query={text:query,values:[]}}const started=Date.now();const result=unwrapSQLResult(
await this.#db.executeSql(query.text,query.values));const elapsed=(Date.now()-started)/1e3;if(elapsed>this.#slowQuerySeconds||
this.#config.__test__warn_slow_query){await emitAndPersistWarning(this.#warningContext,WARNING_TYPES3.SLOW_QUERY,WARNINGS2.
SLOW_QUERY.message,{elapsed,sql:query.text,values:query.values})}return result}async#onSupervise(){if(this.#stopped||this.#maintaining)
return;this.#maintaining=true;try{if(this.#config.__test__throw_maint){throw new Error(this.#config.__test__throw_maint)}
if(this.#config.__test__delay_maint_ms){await delay(this.#config.__test__delay_maint_ms)}const queues=await this.#manager.
getQueues();!this.#stopped&&await this.#supervisePass(queues,void 0,()=>this.#superviseTimer?.anchor())}catch(err){this.
emit(events2.error,err)}finally{this.#maintaining=false}}async#maintainWarnings(){if(!this.#config.persistWarnings||!this.#config.
warningRetentionDays){return}const sql2=deleteOldWarnings(this.#config.schema,this.#config.warningRetentionDays);await this.#executeQuery(
sql2)}async#ensureQueueStatsPartitions(){const sql2=ensureQueueStatsPartitions(this.#config.schema);await this.#executeQuery(
sql2)}async#maintainQueueStats(){if(!this.#config.persistQueueStats||!this.#config.queueStatRetentionDays){return}const sql2=this.#config.
noTablePartitioning?deleteOldQueueStats(this.#config.schema,this.#config.queueStatRetentionDays):dropOldQueueStatsPartitions(
this.#config.schema,this.#config.queueStatRetentionDays);await this.#executeQuery(sql2)}async supervise(value,options){while(this.#maintaining){
await delay(10)}if(this.#stopping)return;this.#maintaining=true;try{await this.#supervisePass(value,options)}finally{this.#maintaining=
false}}async#supervisePass(value,options,onClaimsSettled){let queues;if(Array.isArray(value)){queues=value}else{queues=await this.#manager.
getQueues(value)}if(this.#config.persistQueueStats&&!this.#config.noTablePartitioning&&!this.#stopping){await this.#ensureQueueStatsPartitions()}
const queueGroups=queues.reduce((acc,q2)=>{const{table}=q2;acc[table]=acc[table]||{table,queues:[]};acc[table].queues.push(
q2);return acc},{});for(const queueGroup of Object.values(queueGroups)){if(this.#stopping)return;const{table,queues:queues2}=queueGroup;
const names=queues2.map(i2=>i2.name);while(names.length){if(this.#stopping)return;const chunk=names.splice(0,100);await this.#monitor(
table,chunk);await this.#maintain(table,chunk)}}onClaimsSettled?.();if(this.#stopping)return;await this.#applyMonitorBackoff();
await this.#checkVacuum();await this.#maintainWarnings();await this.#maintainQueueStats();await this.#reindex(Object.keys(
queueGroups),options)}async#monitor(table,names){if(this.#stopping)return;const command=trySetQueueMonitorTime(this.#config.
schema,names,this.#config.monitorIntervalSeconds,queueClaimSkipLocked(this.#config.backend,this.#config.noSkipLocked));const{
rows}=await this.#executeQuery(command);if(this.#stopping)return;if(rows.length){const queues=rows.map(q2=>q2.name);const refreshStats=rows[0].
refreshStats!==false;if(refreshStats){const passSeconds=Math.max(this.#config.monitorIntervalSeconds,this.#config.superviseIntervalSeconds);
const cacheStatsSql=cacheQueueStats(this.#config.schema,table,queues,this.#config.noAdvisoryLocks,this.#config.persistQueueStats,
{resetMax:deltaResetMax(passSeconds)});const statsStarted=Date.now();const{rows:rowsCacheStats}=await this.#executeQuery(
cacheStatsSql);const pinned=rowsCacheStats.reduce((max,row)=>Math.max(max,Number(row.pinSeconds)||0),0);if(rowsCacheStats.
length){this.#statsElapsedSeconds+=pinned||(Date.now()-statsStarted)/1e3}if(this.#config.persistQueueStats&&rowsCacheStats.
length){const written=rowsCacheStats.map(row=>row.name);const insertSql=insertQueueStats(this.#config.schema,written,this.#config.
noAdvisoryLocks);await this.#executeQuery(insertSql);const late=rowsCacheStats.filter(row=>row.trueUp).map(row=>row.name);
if(late.length&&!this.#stopping){const trueUpStarted=Date.now();const trueUpSql=trueUpQueueStats(this.#config.schema,table,
late,this.#config.noAdvisoryLocks);const{rows:[trued]}=await this.#executeQuery(trueUpSql);if(trued){this.#statsElapsedSeconds+=
Number(trued.pinSeconds)||(Date.now()-trueUpStarted)/1e3}}}if(this.#stopping)return;const warnings=rowsCacheStats.map(i2=>({
row:i2,threshold:Number(i2.warningQueueSize)||this.#largeQueueSize})).filter(({row,threshold})=>Number(row.queuedCount)>
threshold);for(const{row,threshold}of warnings){await emitAndPersistWarning(this.#warningContext,WARNING_TYPES3.QUEUE_BACKLOG,
`${WARNINGS2.LARGE_QUEUE.message}: queue "${row.name}" has ${Number(row.queuedCount)} jobs in the created or retry state\
, over its warning threshold of ${threshold}. Your queue should be reviewed`,row)}}if(this.#stopping)return;if(this.#config.
noMultiMutationCte){await this.#manager.failJobsByTimeoutDistributed(table,queues)}else{const sql2=failJobsByTimeout(this.#config.
schema,table,queues,this.#config.noAdvisoryLocks);await this.#executeQuery(sql2)}if(this.#stopping)return;if(this.#config.
noMultiMutationCte){await this.#manager.failJobsByHeartbeatDistributed(table,queues)}else{const heartbeatSql=failJobsByHeartbeat(
this.#config.schema,table,queues,this.#config.noAdvisoryLocks);await this.#executeQuery(heartbeatSql)}}}async#maintain(table,names){
if(this.#stopping)return;const command=trySetQueueDeletionTime(this.#config.schema,names,this.#config.maintenanceIntervalSeconds,
queueClaimSkipLocked(this.#config.backend,this.#config.noSkipLocked));const{rows}=await this.#executeQuery(command);if(this.#stopping)
return;if(rows.length){const queues=rows.map(q2=>q2.name);const sql2=deletion(this.#config.schema,table,queues,this.#config.
noAdvisoryLocks);await this.#executeQuery(sql2);const depSql=cleanupDependencies(this.#config.schema,table,queues,this.#config.
noAdvisoryLocks);await this.#executeQuery(depSql)}}async#applyMonitorBackoff(){const elapsed=this.#config.__test__monitor_stats_seconds??
this.#statsElapsedSeconds;this.#statsElapsedSeconds=0;if(!elapsed)return;if(this.#config.monitorVacuum===false||this.#config.
noMonitorVacuum)return;const{rows}=await this.#executeQuery(setMonitorBackoff(this.#config.schema,elapsed));const engaged=rows.
at(0);if(!engaged)return;await emitAndPersistWarning(this.#warningContext,WARNING_TYPES3.MONITOR_BACKOFF,`${WARNINGS2.MONITOR_BACKOFF.
message}: ${elapsed.toFixed(1)}s of aggregate against an autovacuum_naptime of ${Number(engaged.naptimeSeconds)}s. Shrin\
k the job table (retention, deleteAfterSeconds) or partition its busiest queues.`,{elapsedSeconds:elapsed,naptimeSeconds:Number(
engaged.naptimeSeconds),backoffSeconds:Number(engaged.backoffSeconds),backoffUntil:engaged.backoffUntil})}async#checkVacuum(){
if(this.#stopping)return;if(this.#config.monitorVacuum===false||this.#config.noMonitorVacuum)return;const{rows}=await this.#executeQuery(
getJobTableGarbage(this.#config.schema));if(this.#stopping)return;const stuck=[];const unvacuumed=[];let vacuumedOverBudget=false;
let disabledOverBudget=false;const present=new Set(rows.map(row=>row.name));for(const name of this.#garbageEvidence.keys()){
if(!present.has(name))this.#garbageEvidence.delete(name)}for(const row of rows){const name=row.name;const liveTuples=Number(
row.liveTuples);const deadTuples=Number(row.deadTuples);const budget=Number(row.threshold)+Number(row.scaleFactor)*liveTuples;
const disabled=row.autovacuumEnabled===false;const lastVacuum=row.lastVacuum==null?0:Number(row.lastVacuum);if(deadTuples<=
budget){this.#garbageEvidence.delete(name);continue}if(disabled){disabledOverBudget=true}else{vacuumedOverBudget=true}const previous=this.#garbageEvidence.
get(name);this.#garbageEvidence.set(name,{deadTuples,lastVacuum});if(!previous)continue;const garbage={name,liveTuples,deadTuples,
budget,vacuumAgeSeconds:row.vacuumAgeSeconds===null?null:Number(row.vacuumAgeSeconds),lastVacuum};if(disabled){if(lastVacuum===
previous.lastVacuum&&deadTuples>previous.deadTuples){unvacuumed.push(garbage)}}else if(lastVacuum>previous.lastVacuum&&deadTuples>=
previous.deadTuples){stuck.push(garbage)}}if(!vacuumedOverBudget)this.#warnedXminHorizon=false;if(!disabledOverBudget)this.#warnedAutovacuumDisabled=
false;await this.#warnAutovacuumDisabled(unvacuumed);await this.#warnXminHorizon(stuck)}async#warnAutovacuumDisabled(unvacuumed){
if(!unvacuumed.length||this.#warnedAutovacuumDisabled||this.#stopping)return;this.#warnedAutovacuumDisabled=true;const worst=unvacuumed.
reduce((a2,b2)=>b2.deadTuples>a2.deadTuples?b2:a2);const since=worst.vacuumAgeSeconds===null?"has never been vacuumed":`\
was last vacuumed ${worst.vacuumAgeSeconds}s ago`;await emitAndPersistWarning(this.#warningContext,WARNING_TYPES3.AUTOVACUUM_DISABLED,
`${WARNINGS2.AUTOVACUUM_DISABLED.message}: ${worst.name} has autovacuum_enabled = false, holds ${worst.deadTuples} dead \
rows and is still growing, and ${since} (Postgres would vacuum this table at ${Math.round(worst.budget)})`,{table:worst.
name,tables:unvacuumed.map(t2=>t2.name),liveTuples:worst.liveTuples,deadTuples:worst.deadTuples,budget:Math.round(worst.
budget),vacuumAgeSeconds:worst.vacuumAgeSeconds})}async#warnXminHorizon(stuck){if(!stuck.length||this.#warnedXminHorizon||
this.#stopping)return;const lastVacuum=new Date(Math.max(...stuck.map(t2=>t2.lastVacuum)));const horizon=await this.#readXminHorizon(
lastVacuum);if(!horizon||this.#stopping)return;const holder=this.#attributeXminHorizon(horizon.row);if(!holder)return;this.#warnedXminHorizon=
true;const worst=stuck.reduce((a2,b2)=>b2.deadTuples>a2.deadTuples?b2:a2);const seconds=Number(horizon.row.oldestTransactionSeconds);
const backend=holder.source==="backends"?horizon.row.backendHolder??null:null;const opaque=Number(horizon.row.opaqueBackends)||
0;const opaqueNote=opaque&&!backend?` ${opaque} backend(s) could not be inspected by this role; GRANT pg_read_all_stats \
to name them.`:"";await emitAndPersistWarning(this.#warningContext,WARNING_TYPES3.XMIN_HORIZON,`${WARNINGS2.XMIN_HORIZON.
message}: ${describeXminHolder(holder.source,horizon.row)}, holding it ${holder.age} transactions back. ${worst.name} ha\
s ${worst.deadTuples} dead rows that a vacuum ${worst.vacuumAgeSeconds}s ago could not reclaim (Postgres vacuums this ta\
ble at ${Math.round(worst.budget)}).${opaqueNote}`,{source:holder.source,holder:describeXminHolder(holder.source,horizon.
row),holderClass:XMIN_HOLDERS[holder.source],holderPid:backend?.pid??null,holderApplicationName:backend?.applicationName??
null,holderUserName:backend?.userName??null,holderState:backend?.state??null,holderTransactionSeconds:backend?.xactSeconds??
null,self:backend?backend.applicationName===horizon.row.selfApplicationName:null,opaqueBackends:opaque,transactions:holder.
age,table:worst.name,liveTuples:worst.liveTuples,deadTuples:worst.deadTuples,budget:Math.round(worst.budget),vacuumAgeSeconds:worst.
vacuumAgeSeconds,tables:stuck.map(t2=>t2.name),oldestTransactionSeconds:Number.isFinite(seconds)?seconds:null,unreadableSources:horizon.
unreadable})}#attributeXminHorizon(row){let worst=null;for(const source of Object.keys(XMIN_HOLDERS)){const value=row[source];
const age=value===void 0||value===null?NaN:Number(value);if(Number.isFinite(age)&&(!worst||age>worst.age)){worst={source,
age}}}return worst}async#readXminHorizon(lastVacuum){const attempted=this.#xminHorizonSources??XMIN_HORIZON_QUERY_SOURCES;
if(!attempted.length)return null;try{const{rows}=await this.#executeQuery(getXminHorizon(lastVacuum,attempted));const unreadable2=XMIN_HORIZON_QUERY_SOURCES.
filter(name=>!attempted.includes(name));return{row:rows[0]??{},unreadable:unreadable2}}catch(err){const readable=await this.#narrowXminHorizonSources(
attempted,lastVacuum);this.#xminHorizonSources=readable;if(!readable.length){this.emit(events2.warning,{message:"Unable \
to read the transaction horizon; the xmin_horizon check is disabled for this instance.",data:{type:WARNING_TYPES3.XMIN_HORIZON,
error:err?.message}})}return null}}async#narrowXminHorizonSources(attempted,lastVacuum){const readable=[];for(const source of attempted){
try{await this.#executeQuery(getXminHorizon(lastVacuum,[source]));readable.push(source)}catch{}}return readable}async#executeDdl(sql2){
return unwrapSQLResult(await this.#db.executeSql(sql2))}#resolveReindexOptions(options){const setting=options&&"reindex"in
options?options.reindex:this.#config.reindex;if(setting===false)return null;if(setting===true||setting===void 0)return{};
return setting}async#reindex(tables,options){if(this.#stopping)return;if(this.#config.noReindex)return;const resolved=this.#resolveReindexOptions(
options);const force=!!resolved?.force;const rebuilding=resolved!==null&&!this.#reindexUnavailable;if(!force){if(rebuilding){
const claim=trySetReindexTime(this.#config.schema,this.#config.reindexIntervalSeconds);const{rows}=await this.#executeQuery(
claim);if(!rows.length)return}else{if(this.#config.clock.now()<this.#detectOnly)return;this.#detectOnly=this.#config.clock.
now()+this.#config.reindexIntervalSeconds*1e3}}if(this.#stopping)return;const scope=tables.length?tables:void 0;const detectSql=getBloatedIndexes(
this.#config.schema,scope,resolved??void 0);const{rows:bloated}=await this.#executeQuery(detectSql);let targets=[];if(rebuilding){
const maxIndexBytes=resolved.maxIndexBytes??REINDEX_DEFAULTS.maxIndexBytes;const candidates=force?(await this.#executeQuery(
getJobIndexes(this.#config.schema,scope))).rows:bloated;targets=candidates.filter(i2=>i2.owned&&Number(i2.bytes)<=maxIndexBytes);
if(targets.length){await this.#dropReindexLeftovers(scope)}}const rebuilt=new Set;const failed=new Map;for(const target of targets){
if(this.#stopping)return;try{await this.#executeDdl(reindexIndex(this.#config.schema,target.name));rebuilt.add(target.name)}catch(err){
const code=err?.code;if(code===IN_TRANSACTION_ERROR){this.#reindexUnavailable=err.message;failed.set(target.name,this.#reindexUnavailable);
break}failed.set(target.name,err.message)}}await this.#warnIndexBloat(bloated,rebuilt,failed,rebuilding)}async#dropReindexLeftovers(tables){
try{const{rows}=await this.#executeQuery(getReindexLeftovers(this.#config.schema,tables,this.#config.noIndexProgressView));
for(const leftover of rows){if(this.#stopping)return;await this.#executeDdl(dropIndexConcurrently(this.#config.schema,leftover.
name))}}catch(err){this.emit(events2.error,err)}}async#warnIndexBloat(bloated,rebuilt,failed,rebuilding){const stillBloated=new Set;
for(const index of bloated){if(rebuilt.has(index.name))continue;stillBloated.add(index.name);if(this.#warnedBloat.has(index.
name))continue;const reason=failed.get(index.name)??(!index.owned?"the connected role does not own the index":this.#reindexUnavailable??
(!rebuilding?"automatic reindexing is disabled":"the index is larger than maxIndexBytes"));await emitAndPersistWarning(this.#warningContext,
WARNING_TYPES3.INDEX_BLOAT,`Warning: index "${index.name}" is bloated (${Math.round(Number(index.bytes)/1024/1024)} MB a\
cross ${index.pages} pages for ~${index.entries} live entries) and was not rebuilt: ${reason}. See getReindexCommands()`,
index)}this.#warnedBloat=stillBloated}async getReindexCommands(options){if(this.#config.noReindex)return[];const schema=this.#config.
schema;const sql2=options?.force?getJobIndexes(schema):getBloatedIndexes(schema,void 0,options);const{rows}=await this.#executeQuery(
sql2);const targets=options?.maxIndexBytes===void 0?rows:rows.filter(i2=>Number(i2.bytes)<=options.maxIndexBytes);if(!targets.
length)return[];const{rows:leftovers}=await this.#executeQuery(getReindexLeftovers(schema,void 0,this.#config.noIndexProgressView,
true));return buildReindexCommands(schema,targets,leftovers)}};var boss_default=Boss;import EventEmitter5 from"node:events";var events3={error:"error",bam:"bam"};var Bam=class extends EventEmitter5{#stopped;#working;#pollTimer;#db;#config;events=events3;constructor(db,config){
super();this.#db=db;this.#config=config;this.#stopped=true;this.#working=false}get working(){return this.#working}async start(){
if(!this.#stopped)return;this.#stopped=false;this.#pollTimer=new ClaimTimer(this.#config.clock,this.#config.bamIntervalSeconds,
()=>this.#onPoll());setImmediate(()=>this.#onPoll());this.#pollTimer.start()}async stop(){if(this.#stopped)return;this.#stopped=
true;this.#pollTimer.stop();this.#pollTimer=void 0;while(this.#working){await delay(10)}}async#onPoll(){if(this.#stopped||
this.#working||!this.#config.migrate)return;this.#working=true;try{if(this.#config.__test__throw_bam){throw new Error(this.#config.
__test__throw_bam)}if(this.#config.__test__delay_bam_ms){await delay(this.#config.__test__delay_bam_ms)}const sql2=trySetBamTime(
this.#config.schema,this.#config.bamIntervalSeconds);const{rows}=await this.#db.executeSql(sql2);this.#pollTimer?.anchor();
if(rows.length===1){await this.#processCommands()}}catch(err){this.emit(events3.error,err)}finally{this.#working=false}}async#processCommands(){
if(this.#stopped)return;const entry=await this.#getNextCommand();if(!entry)return;if(this.#config.__test__delay_bam_claim_ms){
await delay(this.#config.__test__delay_bam_claim_ms)}if(this.#stopped){try{await this.#releaseCommand(entry)}catch(err){
this.emit(events3.error,err)}return}this.emit(events3.bam,{id:entry.id,name:entry.name,status:"in_progress",queue:entry.
queue,table:entry.table});try{let alreadyBuilt=false;if(entry.reattempt){const probeSql=bamHealProbe(this.#config.schema,
entry.command);if(probeSql){const{rows}=await this.#db.executeSql(probeSql);if(rows[0]?.invalid){if(!this.#config.noIndexProgressView){
await this.#db.executeSql(bamHealDrop(this.#config.schema,entry.command))}}else if(rows[0]){alreadyBuilt=true}}}if(!alreadyBuilt){
await this.#db.executeSql(entry.command)}await this.#markCompleted(entry.id);this.emit(events3.bam,{id:entry.id,name:entry.
name,status:"completed",queue:entry.queue,table:entry.table})}catch(err){try{await this.#markFailed(entry.id,err)}catch(markErr){
this.emit(events3.error,markErr)}this.emit(events3.error,err);this.emit(events3.bam,{id:entry.id,name:entry.name,status:"\
failed",queue:entry.queue,table:entry.table,error:String(err)})}}async#getNextCommand(){const sql2=getNextBamCommand(this.#config.
schema,{useLiveness:!this.#config.noIndexProgressView});const{rows}=await this.#db.executeSql(sql2);return rows[0]||null}async#releaseCommand(entry){
const sql2=releaseBamCommand(this.#config.schema,entry.id,entry.priorStatus,entry.priorStartedOn??null,entry.claimedStartedOn);
await this.#db.executeSql(sql2)}async#markCompleted(id2){const sql2=setBamCompleted(this.#config.schema,id2);await this.#db.
executeSql(sql2)}async#markFailed(id2,error){const sql2=setBamFailed(this.#config.schema,id2,String(error));await this.#db.
executeSql(sql2)}};var bam_default=Bam;import EventEmitter6 from"node:events";var events4={error:"error",flow:"flow"};var MAX_BATCHES_PER_PASS=100;var Navigator=class extends EventEmitter6{#stopped;#stopping;#working;#pollTimer;#db;#manager;#config;events=events4;constructor(db,manager,config){
super();this.#db=db;this.#manager=manager;this.#config=config;this.#stopped=true;this.#stopping=false;this.#working=false}get working(){
return this.#working}async start(){if(!this.#stopped)return;this.#stopped=false;this.#stopping=false;if(!this.#config.supervise)
return;this.#pollTimer=new ClaimTimer(this.#config.clock,this.#config.flowIntervalSeconds,()=>this.#onPoll());setImmediate(
()=>this.#onPoll());this.#pollTimer.start()}async stop(){if(this.#stopped)return;this.#stopping=true;this.#stopped=true;
if(this.#pollTimer){this.#pollTimer.stop();this.#pollTimer=void 0}while(this.#working){await delay(10)}}async#onPoll(){if(this.#stopped||
this.#working)return;this.#working=true;try{if(this.#config.__test__throw_flow){throw new Error(this.#config.__test__throw_flow)}
if(this.#config.__test__delay_flow_ms){await delay(this.#config.__test__delay_flow_ms)}const gate=trySetFlowTime(this.#config.
schema,this.#config.flowIntervalSeconds);const{rows}=await this.#db.executeSql(gate);this.#pollTimer?.anchor();if(rows.length===
1){await this.#resolve()}}catch(err){this.emit(events4.error,err)}finally{this.#working=false}}async resolveNow(){while(this.#working){
await delay(10)}if(this.#stopping)return;this.#working=true;try{await this.#resolve()}finally{this.#working=false}}async#resolve(){
const queues=await this.#manager.getQueues();const queueGroups=queues.reduce((acc,q2)=>{acc[q2.table]=acc[q2.table]||{table:q2.
table,names:[]};acc[q2.table].names.push(q2.name);return acc},{});for(const group of Object.values(queueGroups)){if(this.#stopping)
return;const{table}=group;const names=[...group.names];while(names.length){if(this.#stopping)return;const chunk=names.splice(
0,100);let batches=0;let resolved=0;do{if(this.#stopping)return;resolved=this.#config.noMultiMutationCte?await this.#manager.
resolveFlowJobsDistributed(table,chunk):await this.#resolveStandard(table,chunk);if(resolved>0){this.emit(events4.flow,{
table,resolved})}}while(resolved>=FLOW_BATCH_SIZE&&++batches<MAX_BATCHES_PER_PASS&&!this.#stopping)}}}async#resolveStandard(table,names){
const query=resolveFlowJobs(this.#config.schema,table,names);const{rows}=await this.#db.executeSql(query.text,query.values);
return Number(rows[0]?.resolved??0)}};var navigator_default=Navigator;import EventEmitter7 from"node:events";var events5={error:"error",warning:"warning"};var WARNING_TYPE="listen_notify_unavailable";var Notifier=class extends EventEmitter7{events=events5;#db;#manager;#config;#handle=null;#stopped=true;constructor(db,manager,config){
super();this.#db=db;this.#manager=manager;this.#config=config}get available(){return this.#handle!==null}async start(){if(!this.#stopped)
return;this.#stopped=false;if(this.#config.noListenNotify){this.emit(events5.warning,{message:`useListenNotify is not su\
pported on the ${this.#config.backend} backend. Continuing with polling only.`,data:{type:WARNING_TYPE,backend:this.#config.
backend}});return}if(typeof this.#db.listen!=="function"){this.emit(events5.warning,{message:"useListenNotify is enabled\
 but the database connection does not support LISTEN/NOTIFY. Continuing with polling only.",data:{type:WARNING_TYPE}});return}
try{const{rows}=await this.#db.executeSql(`SELECT ${notifyChannelSql(this.#config.schema)} AS channel`);const channel=rows[0].
channel;this.#handle=await this.#db.listen(channel,payload=>this.#manager.notifyQueue(payload),()=>this.#manager.forceFetchLnWorkers())}catch(err){
this.emit(events5.warning,{message:"Failed to start LISTEN/NOTIFY listener. Continuing with polling only.",data:{type:WARNING_TYPE,
error:err?.message}})}}async stop(){if(this.#stopped)return;this.#stopped=true;if(this.#handle){try{await this.#handle.close()}catch(err){
this.emit(events5.error,err)}this.#handle=null}}};var notifier_default=Notifier;var LEADER_CHANGED_MESSAGE="Leader changed, pending operation in indeterminate state";function isLeaderChange(err){return err instanceof
Error&&err.message===LEADER_CHANGED_MESSAGE}function fromPglite(pglite){const run=async(text,values)=>{if(values?.length){
return await pglite.query(text,values)}const results=await pglite.exec(text);return{rows:results.flatMap(r2=>r2.rows??[])}};
let sessionStatements=[];let unsubscribeLeaderChange=null;let reapplying=null;const inFlight=new Set;const watchLeaderChange=()=>{
if(unsubscribeLeaderChange||typeof pglite.onLeaderChange!=="function"){return}unsubscribeLeaderChange=pglite.onLeaderChange(
()=>{for(const fail of[...inFlight])fail(new Error(LEADER_CHANGED_MESSAGE));if(!sessionStatements.length)return;const chain=applySessionStatements().
catch(()=>{}).then(()=>{if(reapplying===chain)reapplying=null});reapplying=chain})};const raceLeaderChange=async(text,values)=>{
if(typeof pglite.onLeaderChange!=="function"){return await run(text,values)}let fail;const lost=new Promise((_resolve,reject)=>{
fail=reject});inFlight.add(fail);const statement=run(text,values);statement.catch(()=>{});try{return await Promise.race(
[statement,lost])}finally{inFlight.delete(fail)}};const applySessionStatements=async()=>{for(const statement of sessionStatements){
await raceLeaderChange(statement)}};const db={async setSessionStatements(statements){sessionStatements=statements;await applySessionStatements()},
async executeSql(text,values){for(let pending=reapplying;pending;pending=reapplying){await pending}try{return await raceLeaderChange(
text,values)}catch(err){if(!isLeaderChange(err)){await pglite.query("ROLLBACK").catch(()=>{})}throw err}}};watchLeaderChange();
if(typeof pglite.listen==="function"){db.listen=async(channel,onNotification,onReconnect)=>{const unsubscribe2=await pglite.
listen(channel,onNotification);onReconnect();return{close:async()=>{await unsubscribe2()}}}}return db}var events6=Object.freeze({error:"error",warning:"warning",wip:"wip",stopped:"stopped",bam:"bam",flow:"flow"});var PgBoss=class extends EventEmitter8{#stopped;#started;#startingPromise=null;#stoppingPromise=null;#attachedClock=null;#idle;#config;#db;#boss;#contractor;#manager;#timekeeper;#bam;#navigator;#notifier;constructor(value){
super();this.#stopped=true;const config=getConfig(value);this.#config=config;let db=this.getDb();if(isAttachable(config.
clock)){const tracked=trackActivity(db);db=tracked.db;this.#idle=tracked.idle}this.#db=db;if("_pgbdb"in this.#db&&this.#db.
_pgbdb){this.#promoteEvents(this.#db)}const contractor=new contractor_default(db,config);const manager=new manager_default(
db,config);const boss=new boss_default(db,manager,config);const timekeeper=new timekeeper_default(db,manager,config);manager.
timekeeper=timekeeper;const bam=new bam_default(db,config);const navigator=new navigator_default(db,manager,config);const notifier=new notifier_default(
db,manager,config);manager.notifier=notifier;this.#promoteEvents(manager);this.#promoteEvents(boss);this.#promoteEvents(
timekeeper);this.#promoteEvents(bam);this.#promoteEvents(navigator);this.#promoteEvents(notifier);this.#boss=boss;this.#contractor=
contractor;this.#manager=manager;this.#timekeeper=timekeeper;this.#bam=bam;this.#navigator=navigator;this.#notifier=notifier}#promoteEvents(emitter){
for(const event of Object.values(emitter?.events)){emitter.on(event,arg=>this.emit(event,arg))}}async start(){if(this.#stoppingPromise){
await this.#stoppingPromise.catch(()=>{})}if(this.#startingPromise){return this.#startingPromise}if(this.#started){return this}
this.#stopped=false;this.#startingPromise=this.#doStart();try{return await this.#startingPromise}finally{this.#startingPromise=
null}}async#doStart(){if(isAttachable(this.#config.clock)){assert9(typeof this.#db.setSessionStatements==="function","co\
nfiguration assert: this db adapter does not implement setSessionStatements(), so a TestClock cannot reach every session\
 it opens. Implement it to run the given statements on each new connection (or once, if the adapter has a single session\
).");await this.#db.setSessionStatements([enableClockOverride()])}if(this.#db._pgbdb&&!this.#db.opened){await this.#db.open()}
await this.#warnIfDistributedMisconfigured();if(this.#config.migrate){await this.#contractor.start()}else{await this.#contractor.
check()}if(isAttachable(this.#config.clock)){this.#attachedClock=await this.#config.clock.attach({db:this.#db,schema:this.#config.
schema,idle:this.#idle})}await this.#manager.start();if(this.#config.useListenNotify){await this.#notifier.start()}await this.#boss.
start();await this.#navigator.start();if(this.#config.schedule){await this.#timekeeper.start()}if(this.#config.migrate){
await this.#bam.start()}this.#started=true;return this}async#warnIfDistributedMisconfigured(){try{const{rows}=await this.#db.
executeSql("SELECT version()");const version=rows?.[0]?.version||"";if(/yugabyte|-yb-/i.test(version)){if(!this.#config.
noTablePartitioning||!this.#config.noAdvisoryLocks){this.emit(events6.warning,{message:"YugabyteDB detected: set backend\
: 'yugabytedb' for compatibility. Partitioned queues (partition: true) are not supported on YugabyteDB.",data:{backend:"\
yugabytedb"}})}}}catch{}}async stop(options={}){if(this.#startingPromise){await this.#startingPromise.catch(()=>{})}if(this.#stoppingPromise){
return this.#stoppingPromise}let{close=true,graceful=true,timeout=3e4}=options;if(this.#stopped&&close&&this.#db._pgbdb&&
this.#db.opened){this.#stoppingPromise=this.#closeDb();try{return await this.#stoppingPromise}finally{this.#stoppingPromise=
null}}if(this.#stopped){return}timeout=Math.max(timeout,1e3);this.#stoppingPromise=this.#doStop(close,graceful,timeout);
try{return await this.#stoppingPromise}finally{this.#stoppingPromise=null}}async#doStop(close,graceful,timeout){await this.#notifier.
stop();await this.#manager.stop();await this.#timekeeper.stop();await this.#boss.stop();await this.#navigator.stop();await this.#bam.
stop();const shutdown=async()=>{await this.#manager.failWip();const attachment=this.#attachedClock;this.#attachedClock=null;
try{if(attachment){await attachment[Symbol.asyncDispose]()}}finally{if(isAttachable(this.#config.clock)){await this.#db.
setSessionStatements?.([])}}if(close){await this.#closeDb()}this.#stopped=true;this.#started=false;this.emit(events6.stopped)};
if(!graceful){await shutdown();return}const deadline={reached:false};const deadlineTimer=setTimeout(()=>{deadline.reached=
true},timeout);try{while(!deadline.reached&&this.#manager.hasPendingCleanups()){await delay(500)}}finally{clearTimeout(deadlineTimer)}
await shutdown()}async#closeDb(){if(!this.#db._pgbdb||!this.#db.opened){return}await this.#db.close();await delay(10)}async send(...args){
return await this.#manager.send(...args)}async sendAfter(name,data,options,after){return this.#manager.sendAfter(name,data,
options,after)}sendThrottled(name,data,options,seconds,key){return this.#manager.sendThrottled(name,data,options,seconds,
key)}update(...args){return this.#manager.update(...args)}upsert(...args){return this.#manager.upsert(...args)}sendDebounced(name,data,options,seconds,key){
return this.#manager.sendDebounced(name,data,options,seconds,key)}insert(name,jobs,options){return this.#manager.insert(
name,jobs,options)}flow(jobs,options){return this.#manager.flow(jobs,options)}fetch(name,options={}){return this.#manager.
fetch(name,options)}work(...args){return this.#manager.work(...args)}offWork(name,options){return this.#manager.offWork(
name,options)}notifyWorker(workerId){return this.#manager.notifyWorker(workerId)}subscribe(event,name){return this.#manager.
subscribe(event,name)}unsubscribe(event,name){return this.#manager.unsubscribe(event,name)}publish(event,data,options){return this.#manager.
publish(event,data,options)}cancel(name,id2,options){return this.#manager.cancel(name,id2,options)}resume(name,id2,options){
return this.#manager.resume(name,id2,options)}retry(name,id2,options){return this.#manager.retry(name,id2,options)}deleteJob(name,id2,options){
return this.#manager.deleteJob(name,id2,options)}redrive(name,options){return this.#manager.redrive(name,options)}previewRedrive(name,options){
return this.#manager.previewRedrive(name,options)}deleteQueuedJobs(name){return this.#manager.deleteQueuedJobs(name)}deleteStoredJobs(name){
return this.#manager.deleteStoredJobs(name)}deleteAllJobs(name){return this.#manager.deleteAllJobs(name)}complete(name,id2,data,options){
return this.#manager.complete(name,id2,data,options)}fail(name,id2,data,options){return this.#manager.fail(name,id2,data,
options)}touch(name,id2,options){return this.#manager.touch(name,id2,options)}getJobById(name,id2,options){return this.#manager.
getJobById(name,id2,options)}findJobs(name,options){return this.#manager.findJobs(name,options)}createQueue(name,options){
return this.#manager.createQueue(name,options)}getBlockedKeys(name){return this.#manager.getBlockedKeys(name)}getDependencies(name,id2,options){
return this.#manager.getDependencies(name,id2,options)}getDependents(name,id2,options){return this.#manager.getDependents(
name,id2,options)}updateQueue(name,options){return this.#manager.updateQueue(name,options)}deleteQueue(name){return this.#manager.
deleteQueue(name)}getQueues(names){return this.#manager.getQueues(names)}getQueue(name){return this.#manager.getQueue(name)}getQueueStats(name,options){
return this.#manager.getQueueStats(name,options)}isMaintaining(){return this.#boss.maintaining}isBamWorking(){return this.#bam.
working}isResolvingFlow(){return this.#navigator.working}isCheckingSkew(){return this.#timekeeper.checkingSkew}isTimekeeping(){
return this.#timekeeper.timekeeping}supervise(name,options){return this.#boss.supervise(name,options)}getReindexCommands(options){
return this.#boss.getReindexCommands(options)}resolveFlow(){return this.#navigator.resolveNow()}getWipData(options){return this.#manager.
getWipData(options)}getSpy(name){return this.#manager.getSpy(name)}clearSpies(){this.#manager.clearSpies()}isInstalled(){
return this.#contractor.isInstalled()}schemaVersion(){return this.#contractor.schemaVersion()}detectSchemaDrift(){return this.#contractor.
detectDrift({clockOverride:this.#attachedClock!==null})}schedule(name,cron,data,options){return this.#timekeeper.schedule(
name,cron,data,options)}unschedule(name,key){return this.#timekeeper.unschedule(name,key)}getSchedules(name,key){return this.#timekeeper.
getSchedules(name,key)}getSchedule(name,key){return this.#timekeeper.getSchedule(name,key)}previewSchedule(cron,options){
return this.#timekeeper.previewSchedule(cron,options)}async getBamStatus(){const sql2=getBamStatus(this.#config.schema);
const{rows}=await this.#db.executeSql(sql2);return rows}async getBamEntries(){const sql2=getBamEntries(this.#config.schema);
const{rows}=await this.#db.executeSql(sql2);return rows}getDb(){if(this.#db){return this.#db}if(this.#config.db){return this.#config.
db}return new db_default(this.#config)}};var EVERY_MS=6e4;var WORKER=/ \(Queue: .*\)$/;function createErrorLog(log,monotonicMs){const repetitions=new Map;return error=>{
const name=nameError(error);const before=repetitions.get(name);const nowMs=monotonicMs();if(before!==void 0&&nowMs-before.
loggedMs<EVERY_MS){before.count+=1;return}forgetOld(repetitions,nowMs);repetitions.set(name,{loggedMs:nowMs,count:0});const fault=findDatabaseFault(
error);const details={error,...before!==void 0&&before.count>0&&{repeated:before.count},...fault!==null&&{hint:fault.hint}};
log.error(details,fault===null?"the queue reports an error":`the queue waits for the database: ${fault.found}`)}}function forgetOld(repetitions,nowMs){
for(const[name,{loggedMs}]of repetitions)if(nowMs-loggedMs>=EVERY_MS)repetitions.delete(name)}function nameError(error){
if(typeof error!=="object"||error===null)return String(error);const code="code"in error?String(error.code):"";const message="\
message"in error?String(error.message).replace(WORKER,""):"";return`${code} ${message}`}var OWN_RETRIES=10;var OUTAGE_RETRIES=300;var NEWEST_WINS={policy:"short",notify:true,retryLimit:OWN_RETRIES,retryDelay:1,
retryBackoff:true,retryDelayMax:300,deadLetter:"dead",expireInSeconds:300,heartbeatSeconds:10,deleteAfterSeconds:3600};var QUEUES2={
delivery:{policy:"standard",notify:true,retryLimit:OUTAGE_RETRIES,retryDelay:1,retryBackoff:true,retryDelayMax:300,deadLetter:"\
dead",expireInSeconds:120,heartbeatSeconds:10,deleteAfterSeconds:7*24*3600},lane:{...NEWEST_WINS,retryLimit:OUTAGE_RETRIES},
comment:NEWEST_WINS,notification:NEWEST_WINS,alarm:{policy:"short",notify:false,retryLimit:OWN_RETRIES,retryDelay:1,retryBackoff:true,
expireInSeconds:60,deleteAfterSeconds:3600},platform:{policy:"standard",notify:true,retryLimit:5,retryDelay:1,retryBackoff:true,
retryDelayMax:300,deadLetter:"dead",expireInSeconds:300,heartbeatSeconds:10,deleteAfterSeconds:24*3600},dead:{policy:"st\
andard",retryLimit:0,deleteAfterSeconds:30*24*3600}};var MOST_ENDS=300;var HARMLESS_ENDS=8;var LONGEST_PAUSE=300;var ENDS=sql`(coalesce((output ->> 'ends')::int, 0) + 1)`;var MESSAGE="\
the process ended while it ran";async function returnOrphans(store,boss){await sql`update queue.job set state = 'retry', started_on = null, heartbeat_on = null,
      output = jsonb_build_object('message', ${MESSAGE}::text, 'ends', ${ENDS}),
      start_after = now() + least(${LONGEST_PAUSE}, 2 ^ greatest(0, ${ENDS} - ${HARMLESS_ENDS})) * interval '1 second'
    where state = 'active' and ${ENDS} < ${MOST_ENDS}`.execute(store.db);const{rows}=await sql`
    update queue.job set retry_count = retry_limit where state = 'active' returning name, id`.execute(store.db);for(const{
name,id:id2}of rows)await boss.fail(name,id2,{message:MESSAGE})}var NO_JOB_ID="00000000-0000-0000-0000-000000000000";async function openBoss(store,log,{clock,deliverySeconds=QUEUES2.delivery.
deleteAfterSeconds}={}){const boss=new PgBoss({schema:"queue",useListenNotify:true,...clock!==void 0&&{clock},superviseIntervalSeconds:10,
monitorIntervalSeconds:10,...store.engine.kind==="pglite"?{db:guardDb(fromPglite(store.engine.lite),store.damage),backend:"\
pglite",monitorVacuum:false}:{connectionString:store.engine.url,max:store.engine.queueConnections,Client:SteadyClient}});
const logError=createErrorLog(log,()=>performance.now());boss.on("error",logError);if(store.engine.kind==="postgres")adaptPool(
boss.getDb(),store.engine.listener,log);boss.on("warning",({message,data})=>log.warn({warning:message,data},"the queue w\
arns"));try{await boss.start();await createUnfinishedIndex(boss);if(store.engine.kind==="postgres")watchServer(boss.getDb(),
store.damage);for(const name of["dead","delivery","lane","comment","notification","alarm","platform"]){await boss.createQueue(
name,QUEUES2[name]);await boss.findJobs(name,{id:NO_JOB_ID})}await boss.updateQueue("delivery",{deleteAfterSeconds:deliverySeconds});
if(store.engine.kind==="pglite")await returnOrphans(store,boss);return boss}catch(cause){await boss.stop({graceful:false}).
catch(()=>{});const damage=toDamageError(cause);if(damage instanceof TollgateError)throw damage;throw new TollgateError(
"queue_failed","the queue could not be started",{cause,retryable:true})}}function adaptPool(db,listener,log){db.listen=async(...subscription)=>{
try{return await listener.listen(...subscription)}catch(error){log.warn({error},"PostgreSQL does not announce new jobs: \
the queue asks for them every half second");throw error}}}async function createUnfinishedIndex(boss){await boss.getDb().
executeSql(`do $$ begin
    perform pg_advisory_xact_lock(hashtextextended('tollgate queue index', 0));
    create index if not exists job_unfinished on queue.job_common (name, singleton_key) where state <= 'active';
  end $$`)}function watchServer(db,damage){const execute=db.executeSql.bind(db);db.executeSql=(text,values)=>damage.guard(
()=>execute(text,values))}function guardDb(db,damage){return{...db,executeSql:(text,values)=>{refuseInsideTransaction();
return damage.guard(()=>db.executeSql(text,values))}}}import{randomUUID as randomUUID2}from"node:crypto";import{createHash as createHash2}from"node:crypto";var MAX_ITERATIONS=10;function createBatcher(write,rules){const waiting=[];let writing=false;async function collect(){let known=-1;
for(let turn=0;turn<MAX_ITERATIONS&&waiting.length>known;turn+=1){known=waiting.length;await new Promise(resolve=>setImmediate(
resolve))}}async function drain(){writing=true;while(waiting.length>0){if(waiting.length<rules.limit)await collect();await settleBatch(
waiting.splice(0,rules.limit),write,rules)}writing=false}return item=>{const done=Promise.withResolvers();waiting.push({
item,done});if(!writing)void drain();return done.promise}}async function settleBatch(batch,write,rules){const middle=Math.
ceil(batch.length/2);try{resolveBatch(batch,await write(batch.map(({item})=>item)))}catch(error){if(batch.length===1||rules.
isBatchFailure(error))return rejectBatch(batch,error);await settleBatch(batch.slice(0,middle),write,rules);await settleBatch(
batch.slice(middle),write,rules)}}function resolveBatch(batch,results){for(const[index,{done}]of batch.entries()){const result=results[index];
if(result===void 0)done.reject(new RangeError("a batch answered fewer results than it had items"));else done.resolve(result)}}
function rejectBatch(batch,error){for(const{done}of batch)done.reject(error)}var BATCH=200;var ROW_ERROR=/^(22|23|54)\w{3}$/;var isRowError=error=>error instanceof Error&&"code"in error&&ROW_ERROR.
test(String(error.code));function createDeliveryInbox(boss){const write=items=>retryLost(()=>runUrgently(()=>insertDeliveries(
boss,items)));const put=createBatcher(write,{limit:BATCH,isBatchFailure:error=>!isRowError(error)});return async(deliveryId,event)=>put(
{id:toJobId(deliveryId),event:copyUnstorable(event)})}async function insertDeliveries(boss,items){const fresh=new Map(items.
map(item=>[item.id,item]));const jobs=[...fresh.values()].map(({id:id2,event})=>({id:id2,data:event}));const inserted=new Set(
await boss.insert("delivery",jobs,{returnId:true}));const known=[...fresh.keys()].filter(id2=>!inserted.has(id2));if(known.
length>0)await boss.retry("delivery",known);return items.map(({id:id2})=>inserted.delete(id2)?"queued":"duplicate")}var UUID=/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
function toJobId(deliveryId){const lower=deliveryId.toLowerCase();if(UUID.test(lower))return lower;const hex=createHash2(
"sha256").update(deliveryId).digest("hex");return`${hex.slice(0,8)}-${hex.slice(8,12)}-8${hex.slice(13,16)}-8${hex.slice(
17,20)}-${hex.slice(20,32)}`}import{setTimeout as sleep2}from"node:timers/promises";var DRAIN_MS=6e3;var CLOSE_MS=1e3;function createEnding(boss,ended){let draining=null;const drain=()=>{ended.abort();draining??=
drainWorkers(boss);return draining};return{drain,stop:async()=>{await drain();await boss.stop({graceful:true,timeout:CLOSE_MS})}}}
async function drainWorkers(boss){const isDone=new AbortController;const late=sleep2(DRAIN_MS,void 0,{signal:isDone.signal,
ref:false}).catch(()=>{});await Promise.race([Promise.all(Object.keys(QUEUES2).map(name=>boss.offWork(name))),late]);isDone.
abort()}function toFailedResult({id:id2,retryCount},error){const message=toStorableText(redactCredentials(error instanceof Error?
error.message:String(error)));const code=error instanceof Error&&"code"in error?error.code:void 0;return{id:id2,status:retryCount>=
OWN_RETRIES&&!isOutage(error)?"deadletter":"failed",output:{message,...typeof code==="string"&&{code:toStorableText(code)}}}}
var isOutage=error=>error instanceof TollgateError&&error.retryable||isConnectionLost(error)||findDatabaseFault(error)!==
null;var JobOrigin=external_exports.object({receivedAtMs:external_exports.number().nullable(),delivery:external_exports.string().
max(100).optional(),traceparent:external_exports.string().max(100).optional(),links:external_exports.array(external_exports.
string().max(100)).readonly().optional()});var MAX_LINKS=32;function mergeOrigins(newer,waiting){const replaced=[...waiting.
links??[],...waiting.traceparent===void 0?[]:[waiting.traceparent]];const links=replaced.filter(link=>link!==newer.traceparent).
slice(-MAX_LINKS);const delivery=newer.delivery??waiting.delivery;return{...newer,...delivery!==void 0&&{delivery},receivedAtMs:findOldest(
newer.receivedAtMs,waiting.receivedAtMs),...links.length>0&&{links}}}var findOldest=(one,other)=>one===null||other===null?
one??other:Math.min(one,other);var NamedExecution=external_exports.discriminatedUnion("by",[external_exports.object({by:external_exports.enum(["status",
"check"]),posterId:external_exports.int(),url:external_exports.string()}),external_exports.object({by:external_exports.literal(
"notification"),org:external_exports.string(),project:external_exports.string(),executionId:external_exports.string()})]);var LaneJob=external_exports.object({lane:external_exports.string(),origin:JobOrigin.optional().catch(void 0),named:NamedExecution.
optional().catch(void 0),kind:external_exports.string().optional().catch(void 0)});var buildPolling=seconds=>({pollingIntervalSeconds:seconds,
notifyPollingIntervalSeconds:seconds});var toSeconds=ms2=>Math.max(ms2,0)/1e3;var SLOW_POLLING=buildPolling(10);var OPTIONS={
...SLOW_POLLING,batchSize:1,groupConcurrency:1,includeMetadata:true,perJobResults:true};var WORKERS_WHEN_SATURATED=4;async function startWorkers(boss,queue,options){
const pool=new WorkerPool(boss,queue,options);await pool.addWorker();const timer=setInterval(()=>pool.wake(),options.pollMs);
options.signal.addEventListener("abort",()=>clearInterval(timer),{once:true})}var WorkerPool=class{#boss;#queue;#options;#waiting=null;#ending=new Set;#running=0;#isAdding=false;constructor(boss,queue,options){
this.#boss=boss;this.#queue=queue;this.#options=options}wake(){if(this.#waiting!==null)this.#boss.notifyWorker(this.#waiting);else if(this.#hasRoom())
void this.#addNext()}#hasRoom(){const{workers,isSaturated}=this.#options;const few=Math.min(workers,WORKERS_WHEN_SATURATED);
return this.#running<few||this.#running<workers&&isSaturated?.()!==true}async addWorker(){if(this.#options.signal.aborted)
return;const worker=await this.#boss.work(this.#queue,OPTIONS,async([job])=>{if(job===void 0)return[];await this.#begin(
worker);try{return[await this.#handle(job)]}finally{this.#end(worker)}});this.#replaceWaiting(worker)}async#begin(worker){
this.#running+=1;if(this.#waiting!==worker)return;this.#waiting=null;if(this.#hasRoom())await this.#addNext()}#end(worker){
this.#running-=1;if(this.#ending.has(worker)){if(this.#waiting===null&&this.#hasRoom())void this.#addNext()}else if(this.#hasRoom())
this.#replaceWaiting(worker);else this.#endWorker(worker);this.wake()}async#addNext(){if(this.#isAdding)return;this.#isAdding=
true;await this.addWorker().catch(()=>{});this.#isAdding=false}#replaceWaiting(worker){const other=this.#waiting;this.#waiting=
worker;if(other!==null&&other!==worker)this.#endWorker(other)}#endWorker(worker){this.#ending.add(worker);const ended=this.#boss.
offWork(this.#queue,{id:worker,wait:true});void ended.finally(()=>this.#ending.delete(worker))}async#handle(job){const{id:id2,
data,retryCount,retryLimit,signal}=job;try{const{lane,origin=null,named=null}=LaneJob.parse(data);const attempt=retryCount+
1;const lastAttempt=retryCount>=Math.min(retryLimit,OWN_RETRIES);await this.#options.handler(lane,{origin,named,attempt,
lastAttempt,signal});return{id:id2,status:"completed"}}catch(error){return toFailedResult(job,error)}}};async function findOrigin(boss,queue,{lane,telemetry}){const own=telemetry.origin();if(own===null)return{};const[waiting]=await retryLost(
()=>boss.findJobs(queue,{key:lane,queued:true}));const replaced=LaneJob.safeParse(waiting?.data).data?.origin;return{origin:replaced===
void 0?own:mergeOrigins(own,replaced)}}var POLL_MS=1e3;var createNotificationQueue=(boss,clock,signal)=>({enqueueNotifications:async(target,atMs)=>{const startAfter=atMs===
void 0?0:toSeconds(atMs-clock.now());const singletonKey=atMs===void 0?target:`${target} later`;const options={singletonKey,
group:{id:target},startAfter};await retryLost(()=>boss.upsert("notification",{lane:target},options))},workNotifications:(workers,handler)=>startWorkers(
boss,"notification",{workers,handler,pollMs:POLL_MS,signal})});var IS_STUCK=`select
  exists (select 1 from queue.job where name in ('delivery', 'lane', 'comment', 'platform') and state < 'active'
    and start_after < now() - interval '5 minutes')
  and not exists (select 1 from queue.job where name in ('delivery', 'lane', 'comment', 'platform')
    and completed_on > now() - interval '5 minutes') as stuck`;async function isQueueMoving(boss){const{rows}=await boss.
getDb().executeSql(IS_STUCK);const[answer]=rows;return answer?.stuck===false}var QueueCount=external_exports.object({name:external_exports.
string(),due:external_exports.coerce.number(),scheduled:external_exports.coerce.number(),active:external_exports.coerce.
number(),oldestDueSeconds:external_exports.coerce.number()});var COUNTS=`select name,
    count(*) filter (where state < 'active' and start_after <= now()) as due,
    count(*) filter (where state < 'active' and start_after > now()) as scheduled,
    count(*) filter (where state = 'active') as active,
    coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)
      as "oldestDueSeconds"
  from queue.job where state <= 'active' group by name`;async function countQueueJobs(boss){const{rows}=await boss.getDb().
executeSql(COUNTS);const counted2=new Map(external_exports.array(QueueCount).parse(rows).map(count=>[count.name,count]));
return Object.keys(QUEUES2).map(name=>counted2.get(name)??{name,due:0,scheduled:0,active:0,oldestDueSeconds:0})}import{monitorEventLoopDelay}from"node:perf_hooks";var WINDOW_MS=500;var RESOLUTION_MS=50;var LATE_MS=100;var NANOSECONDS_PER_MS=1e6;
function watchSaturation(){const delay2=monitorEventLoopDelay({resolution:RESOLUTION_MS});delay2.enable();let[sinceMs,isSaturated]=[
performance.now(),false];return()=>{if(performance.now()-sinceMs<WINDOW_MS)return isSaturated;isSaturated=delay2.mean/NANOSECONDS_PER_MS>
RESOLUTION_MS+LATE_MS;delay2.reset();sinceMs=performance.now();return isSaturated}}var OPEN_JOBS=`select 1 from queue.job
  where name in ('delivery', 'lane', 'comment', 'platform') and state in ('created', 'retry', 'active') limit 1`;var POLL_SECONDS={
lane:.5,alarm:.5,comment:1,notification:1,delivery:1,platform:1};var DELIVERY_BATCH=25;function createQueue2(boss,clock,telemetry=NO_TELEMETRY){
const inbox=createDeliveryInbox(boss);const ended=new AbortController;const{signal}=ended;return{acceptDelivery:inbox,enqueue:async(lane,delayMs=0,named=void 0)=>{
const startAfter=toSeconds(delayMs);const origin=await findOrigin(boss,"lane",{lane,telemetry});const job={lane,waitSeconds:startAfter,
...origin,...named!==void 0&&{named}};await retryLost(()=>boss.upsert("lane",job,{...buildLaneOptions(lane),startAfter}))},
setAlarm:async(lane,atMs,kind="decision")=>{const startAfter=toSeconds(atMs-clock.now());const job={lane,waitSeconds:startAfter,
kind};const singletonKey=kind==="decision"?lane:`${lane} ${kind}`;await retryLost(()=>boss.upsert("alarm",job,{singletonKey,
startAfter}))},enqueueComment:async lane=>{const job={lane,...await findOrigin(boss,"comment",{lane,telemetry})};await retryLost(
()=>boss.upsert("comment",job,buildLaneOptions(lane)))},...createNotificationQueue(boss,clock,signal),enqueuePlatformJob:async job=>{
const id2=randomUUID2();await retryLost(()=>boss.send("platform",job,{id:id2}))},workPlatform:async(schema,handler)=>{await startBatchWorker(
boss,"platform",async data=>handler(schema.parse(data)))},workDeliveries:async handler=>{await startBatchWorker(boss,"de\
livery",handler)},workLanes:async(workers,handler)=>{keepWaitsBounded(boss,signal);const pollMs=POLL_SECONDS.lane*1e3;await startWorkers(
boss,"lane",{workers,isSaturated:watchSaturation(),handler,pollMs,signal});await startBatchWorker(boss,"alarm",async data=>{
const{lane,kind}=LaneJob.parse(data);const queue=kind==="late comments"?"comment":"lane";await retryLost(()=>boss.upsert(
queue,{lane,waitSeconds:0},buildLaneOptions(lane)))})},workComments:async(workers,handler)=>{await startWorkers(boss,"co\
mment",{workers,handler,pollMs:POLL_SECONDS.comment*1e3,signal})},isIdle:async()=>(await retryLost(()=>boss.getDb().executeSql(
OPEN_JOBS))).rows.length===0,isMoving:()=>isQueueMoving(boss),countJobs:()=>countQueueJobs(boss),...createEnding(boss,ended)}}
var buildLaneOptions=lane=>({singletonKey:lane,group:{id:lane}});async function startBatchWorker(boss,queue,handler){const options={
...buildPolling(POLL_SECONDS[queue]),batchSize:DELIVERY_BATCH,perJobResults:true,burstWhenBatchFull:true};await boss.work(
queue,options,jobs=>Promise.all(jobs.map(async job=>{try{await handler(job.data);return{id:job.id,status:"completed"}}catch(error){
return toFailedResult(job,error)}})))}var PATIENCE_MS=1900;async function findStoreFault({db,damage}){if(damage.seen!==null)return"it is damaged";let timer;const late=new Promise(
resolve=>{timer=setTimeout(()=>resolve((damage.lastLoss??describeDatabaseFault(null)).found),PATIENCE_MS)});const fault=await Promise.
race([askDatabase({db,damage}),late]);clearTimeout(timer);return fault}async function askDatabase({db,damage}){try{const{
rows}=await sql`
      select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`.execute(db);if(rows[0]?.
isReadOnly===true)return"it is read-only";return damage.isFull()?"its disk is full":null}catch(error){return describeDatabaseFault(
error).found}}var CONNECTIONS=15;var LISTENING=1;var QUEUE_CONNECTIONS=4;function getStoreLocation(settings){const{databaseUrl,databaseListenUrl,
databaseConnections=CONNECTIONS,dataDirectory}=settings;if(databaseUrl===null)return{kind:"directory",directory:dataDirectory};
const shared=databaseConnections-LISTENING;const queueConnections=Math.min(QUEUE_CONNECTIONS,Math.floor(shared/3));return{
kind:"postgres",url:databaseUrl,...databaseListenUrl!==void 0&&{listenUrl:databaseListenUrl},maxConnections:shared-queueConnections,
queueConnections}}async function openSession(settings,log,clock=systemClock,telemetry=NO_TELEMETRY){const store=await openDatabase(getStoreLocation(
settings),error=>log.warn({error},"a database connection was lost"),{onDamage:error=>log.error({error},"the database is \
damaged"),onQuery:seconds=>telemetry.observe("tollgate_database_query_seconds",seconds,{})});const endWatch=watchDatabase(
settings,log);try{const boss=await openBoss(store,log,{clock:createSteadyClock(systemClock),deliverySeconds:settings.operator.
retention.deliveries/1e3});const queue=createQueue2(boss,clock,telemetry);return{store,queue,inspection:createQueueInspection(
boss),clock,laneSpacingMs:settings.laneSpacingMs,findFault:()=>findStoreFault(store),close:async()=>{endWatch();await queue.
stop();await store.close()}}}catch(error){endWatch();await store.close();throw error}}function watchDatabase(settings,log){
const location=getStoreLocation(settings);if(location.kind!=="directory")return()=>{};return watchSpace(location.directory,
error=>{log.fatal({error},"the disk of the data directory is nearly full: Tollgate ends");process.exit(2)})}import{spawn}from"node:child_process";import{once}from"node:events";import{setTimeout as sleep3}from"node:timers/promises";var COMMAND=getCodeFile("cli/tollgate.js");var PATIENCE_MS2=3e4;async function spawnPlatform({settings,environment},request){
const child=spawn(process.execPath,["--liftoff-only",COMMAND,"platform","serve"],{env:{...environment,HOST:"127.0.0.1",PORT:"\
0"},stdio:["ignore","ignore","pipe"]});const stderrChunks=[];child.stderr.on("data",chunk=>stderrChunks.push(String(chunk)));
const ended=once(child,"exit").then(()=>{throw new TollgateError("platform_failed",`the embedded platform did not start:\
 ${stderrChunks.join("").trim()}`)});ended.catch(()=>{});const{url,id:id2,token}=await Promise.race([ended,waitUntilReady(
settings,request)]);return{url,token,close:async()=>{await revokeRunning(settings,id2);child.kill("SIGTERM");await ended.
catch(()=>{})}}}async function waitUntilReady(settings,request){for(const until=performance.now()+PATIENCE_MS2;performance.
now()<until;await sleep3(100)){const running=await askRunning(settings,request);if(running?.result.state==="created")return{
url:running.url,id:running.result.id,token:running.result.secret}}throw new TollgateError("platform_failed","the embedde\
d platform did not answer within 30 s")}var WHOLE_ACCOUNT={...{purpose:"api",repository:null,org:null,project:null},created_by:INTERNAL_CREATOR};var resolveLocalPlatform=async()=>{
const environment=readEnvironment();const settings=readSettings(environment);const{account,kind}=settings.platform;if(kind===
"remote"){throw new TollgateError("usage","PLATFORM_URL is set, so this machine has no embedded platform",{hint:"Name th\
e platform to import into: set TOLLGATE_URL and TOLLGATE_TOKEN."})}if(readClientSettings(environment).isCi){throw new TollgateError(
"usage","no Tollgate is named, and a CI job has none of its own",{hint:"Set TOLLGATE_URL, and TOLLGATE_TOKEN or the job'\
s `permissions: id-token: write`."})}const running=await askRunning(settings,WHOLE_ACCOUNT);if(running?.result.state==="\
created"){const{id:id2,secret}=running.result;const close=async()=>void await revokeRunning(settings,id2);return{url:running.
url,token:secret,account,close}}if(settings.databaseUrl===null){return{...await spawnPlatform({settings,environment},WHOLE_ACCOUNT),
account}}const log=createLog("warn");const session=await openSession(settings,log);const embedded=await startEmbeddedPlatform(
session,settings,log);return{url:embedded.url,token:embedded.token,account,close:async()=>{await embedded.close();await session.
close()}}};var QUIET_MS=2e3;function startProgress({progress},what,clock){const startedMs=clock.monotonicMs();let isShown=false;return{
onPage:pages=>{const ms2=clock.monotonicMs()-startedMs;if(progress===void 0||ms2<QUIET_MS)return;isShown=true;progress(`\
sending ${what}: ${pages} ${pages===1?"page":"pages"}, ${Math.floor(ms2/1e3)} s`)},end:()=>{if(isShown)progress?.(null)}}}var createAddressCommand=()=>new Command().option("--url <URL>","address of a Tollgate (default: TOLLGATE_URL, else the \
one of this machine)").option("--token <TOKEN>","its token; prefer TOLLGATE_TOKEN, which no process list shows").option(
"--account <ACCOUNT>","account of the platform at the address (default: tollgate)");function resolveAddress(options,client){
const{account}=options;const url=resolveUrl(options,client);const token=resolveToken(options,client);if(url===void 0&&token!==
void 0)throw createAddressError("There is a token, but no address.","Set TOLLGATE_URL or give --url.");if(url!==void 0&&
token===void 0)throw createAddressError("There is an address, but no token.",listTokenSources(client));return{url,token,
account}}function resolveJobServer(options,client){const url=resolveUrl(options,client);const{idToken}=client;return url===
void 0||idToken===null||resolveToken(options,client)!==void 0?null:{url,idToken}}var resolveToken=({token},client)=>token??
client.token??void 0;function resolveUrl(options,client){const url=options.url??client.url??void 0;if(url===void 0||isAddress(
url))return url;throw createAddressError(`${options.url===void 0?"TOLLGATE_URL":"--url"} is no address of a platform: ht\
tp:// or https://, without user and password.`,"It is the PUBLIC_URL of the Tollgate that is called.")}var listTokenSources=({
isGitHubJob})=>isGitHubJob?"Give the job `permissions: id-token: write`, which is enough to send a plan or an estimate, \
or set TOLLGATE_TOKEN.":"Set TOLLGATE_TOKEN.";var createAddressError=(problem,hint)=>new TollgateError("usage",problem,{
hint});function isAddress(text){const url=URL.parse(text);return url!==null&&/^https?:$/.test(url.protocol)&&url.username===
""&&url.password===""}import{randomUUID as randomUUID3}from"node:crypto";import{setTimeout as sleep4}from"node:timers/promises";var LINE_FEED=10;var FULL_BYTES=IMPORT_LIMITS.pageBytes/2;async function*readImportPages(bytes){const pages=new PageSplitter;
for await(const chunk of bytes){let start=0;for(let end=chunk.indexOf(LINE_FEED);end>=0;end=chunk.indexOf(LINE_FEED,start)){
pages.add(chunk.subarray(start,end));const full=pages.endLine();if(full!==null)yield full;start=end+1}pages.add(chunk.subarray(
start))}const last=pages.end();if(last!==null)yield last}var PageSplitter=class{#page=1;#firstLine=1;#lines=[];#bytes=0;#tooLong=[];#line=[];#lineBytes=0;add(part){
if(this.#page===1&&this.#lines.length===0)refuseForeign(part,this.#lineBytes);this.#lineBytes+=part.length;if(part.length>
0&&this.#lineBytes<=IMPORT_LIMITS.lineBytes)this.#line.push(Uint8Array.from(part))}endLine(){const isTooLong=this.#lineBytes>
IMPORT_LIMITS.lineBytes;const line=this.#firstLine+this.#lines.length;if(isTooLong){const problem=`is ${this.#lineBytes}\
 bytes long; at most ${IMPORT_LIMITS.lineBytes} are taken`;this.#tooLong.push({line,field:"",problem})}const bytes=isTooLong?
new Uint8Array:Buffer.concat(this.#line);this.#lines.push(bytes);this.#bytes+=bytes.length+1;this.#line=[];this.#lineBytes=
0;return this.#lines.length>=IMPORT_LIMITS.pageLines||this.#bytes>=FULL_BYTES?this.#take():null}end(){const full=this.#lineBytes>
0?this.endLine():null;return full??(this.#lines.length===0?null:this.#take())}#take(){if(this.#page>IMPORT_LIMITS.pages)
throw createTooLargeError(this.#firstLine);const bytes=Buffer.concat(this.#lines.flatMap(line=>[line,Uint8Array.of(LINE_FEED)]));
const taken={page:this.#page,firstLine:this.#firstLine,bytes,tooLong:this.#tooLong};this.#page+=1;this.#firstLine+=this.#lines.
length;this.#lines=[];this.#bytes=0;this.#tooLong=[];return taken}};var createTooLargeError=line=>new TollgateError("fil\
e_not_recognised",`the file is too large: it goes on after line ${line-1}`,{hint:`A file may have ${IMPORT_LIMITS.pages*
IMPORT_LIMITS.pageLines} lines, fewer if they are longer than 1,000 bytes. Split it.`});var FOREIGN_SIGNATURES=[["1f8b",
"is compressed with gzip: unpack it first, as in `gunzip -c FILE | tollgate platform import \u2026 -`"],["504b0304","is \
a zip archive: unpack it first"],["28b52ffd","is compressed with zstd: unpack it first"],["fffe","is UTF-16: write it as\
 UTF-8"],["feff","is UTF-16: write it as UTF-8"]];function refuseForeign(part,already){if(already>0)return;const head=Buffer.
from(part.subarray(0,4)).toString("hex");const found=FOREIGN_SIGNATURES.find(([magic])=>head.startsWith(magic));if(found===
void 0)return;throw new TollgateError("file_not_recognised",`the file ${found[1]}`,{hint:"An import takes newline-delimi\
ted JSON: one object to a line, in UTF-8."})}var RETRY_HINT="Import the same file again: nothing is recorded twice.";var HINTS={forbidden:"Imports take a token of th\
e whole account: make one with `tollgate token create --for api`.",not_found:"Check --url. These files can be imported i\
nto the embedded platform only.",unavailable:`Check that the platform runs and --url is its address. ${RETRY_HINT}`,timed_out:`\
The platform is slow or stuck. ${RETRY_HINT}`};async function importFile(platform,{kind,upload,bytes},retrying,onPage=()=>{}){
const call=createRetryingCall(platform,{...retrying,hints:HINTS});const params={kind,upload};const problems=new ProblemList;
try{let pages=0;for await(const page of readImportPages(bytes)){const answer=await call(uploadImportPage,buildPageCall(params,
page));problems.add(page.tooLong,answer);pages=page.page;onPage(pages)}if(problems.isClean()&&pages>0){const commit=()=>call(
commitImport,{params,body:{pages}});let committed=await commit();while(committed.left>0)committed=await commit();if(committed.
problems.length===0)return{rows:committed.rows,problems:[],more:0};problems.add([],committed)}await call(dropImport,{params});
return problems.outcome()}catch(error){await platform.call(dropImport,{params});throw error}}var buildPageCall=(params,{
page,firstLine,bytes})=>({params:{...params,page},query:{first_line:firstLine},body:bytes});var ProblemList=class{#problems=[];#count=0;add(tooLong,{
problems,more}){const inOrder=[...tooLong,...problems].sort((a2,b2)=>a2.line-b2.line);this.#problems=[...this.#problems,
...inOrder].slice(0,MAX_LISTED_PROBLEMS);this.#count+=tooLong.length+problems.length+more}isClean(){return this.#count===
0}outcome(){return{rows:0,problems:this.#problems,more:this.#count-this.#problems.length}}};var ABOUT={recommendations:"recommended savings",anomalies:"anomalies of cost",evaluations:"evaluations of governance ru\
les",billing:"cost and usage per day, for unit metrics and anomalies",prompts:"prompts and sample rules of governance",perspectives:"\
perspectives: named selections of costs"};function addFileOptions(command){for(const kind of IMPORT_KINDS)command.option(
`--${kind} <FILE>`,`${ABOUT[kind]}, one JSON object to a line`)}var namedFiles=options=>IMPORT_KINDS.flatMap(kind=>{const path=new Map(
Object.entries(options)).get(kind);return typeof path==="string"?[{kind,path}]:[]});async function importFiles(options,output,resolveLocal){
const{files}=options;if(files.filter(({path})=>path==="-").length>1)throw usageError("The standard input can be one file\
 only.");const platform=resolveAddress(options,readClientSettings(readEnvironment()));const retrying={tries:5,pauseMs:500,
sleep:sleep4};const ended=[];await withPlatform(platform,resolveLocal,async client=>{for(const{kind,path}of files){const{
file,bytes}=inputFile(path);const upload=randomUUID3().replaceAll("-","");const{onPage,end}=startProgress(output,file,systemClock);
const sending=importFile(client,{kind,upload,bytes},retrying,onPage);const outcome=await sending.catch(refusal).finally(
end);ended.push({kind,file,...outcome});printProblems({kind,file,...outcome},output)}});printResults(ended,options.json===
true,output);return ended.every(({rows})=>rows>0)?0:2}function refusal(error){if(!(error instanceof TollgateError)||!FILE_CODES.
has(error.code))throw error;const words=[error.message,error.hint].filter(text=>text!==void 0).join(". ");return{rows:0,
problems:[],more:0,refused:words}}var FILE_CODES=new Set(["file_unreadable","file_not_recognised"]);function printProblems({
file,problems,more,rows,refused},output){for(const{line,field,problem}of problems)output.message(`${file}:${line}: ${field===
""?"":`${field}: `}${problem}`);if(more>0)output.message(`${file}: and ${number(more)} further problem${more===1?"":"s"}`);
if(refused!==void 0)output.message(`${file}: ${refused}`);else if(rows===0&&problems.length===0)output.message(`${file}:\
 there is no line in it`);if(rows===0)output.message(`nothing of ${file} was imported`)}function printResults(ended,isJson,output){
if(isJson){const files=ended.map(({kind,file,rows,problems,more,refused})=>({...{kind,file,imported:rows,problems,more},
...refused===void 0?{}:{refused}}));output.result(JSON.stringify(files));return}for(const{kind,rows}of ended)if(rows>0)output.
result(`imported ${counted(rows,kind)}`)}var NOUNS={recommendations:["recommendation","recommendations"],anomalies:["ano\
maly","anomalies"],evaluations:["evaluation","evaluations"],billing:["line of billing","lines of billing"],prompts:["pro\
mpt","prompts"],perspectives:["perspective","perspectives"]};var counted=(rows,kind)=>`${number(rows)} ${NOUNS[kind][rows===
1?0:1]}`;var number=value=>value.toLocaleString("en-US");var platformImportCommand=(resolveLocal=resolveLocalPlatform)=>output=>{const command=createCommand();addFileOptions(command);
return command.action(async options=>{const files=namedFiles(options);if(files.length===0)return runImport(options,output,
resolveLocal);for(const option of OF_EXECUTION)if(command.getOptionValueSource(option)==="cli")throw notTogether(option,
files);output.exit(await importFiles({...options,files},output,resolveLocal))})};var createCommand=()=>createAddressCommand().
option("--org <ORG>","organisation on the platform").option("--project <PROJECT>","project on the platform").option("--w\
orkspace <WORKSPACE>","workspace of the plan").option("--repository <OWNER/NAME>","repository of the commit, or its addr\
ess").option("--sha <SHA>","the pull request's head or test-merge commit").option("--plan <FILE>","a Terraform or OpenTo\
fu plan as JSON; - reads the standard input").option("--infracost <FILE>","an Infracost estimate as JSON; - reads the st\
andard input").option("--branch <BRANCH>","the branch of the commit").option("--pipeline <PIPELINE>","name of the pipeli\
ne that made the files","import").option("--execution <ID>","id of an execution whose import is repeated (default: a new\
 one)").option("--json","print the result as JSON").addHelpText("after",DETAILS);var DETAILS=paragraphs("With --plan or \
--infracost: --org, --project, --workspace, --repository and --sha identify the execution. In a GitHub Actions job with \
`permissions: id-token: write` and TOLLGATE_URL, only --workspace is needed: no token is stored, and the server reads re\
pository and commit from the job's id token.","Sensitive values are masked before anything is sent. All projects of the \
estimate become one stage.","Prints the id of the execution. Repeat a failed import with --execution and that id.","The \
other files contain data of a whole account that is computed elsewhere. Each file is imported whole or, when a line of i\
t has a problem, not at all. docs/platform/imports.md describes the lines.");var OF_EXECUTION=[...["plan","infracost","o\
rg","project","workspace"],...["repository","sha","branch","pipeline","execution"]];var notTogether=(option,files)=>new TollgateError(
"usage",`--${option} does not go with ${files.map(({kind})=>`--${kind}`).join(", ")}.`,{hint:"A plan or estimate belongs\
 to one execution, the other files to a whole account: import them with two commands."});async function runImport(options,output,resolveLocal){
const client=readClientSettings(readEnvironment());const job=resolveJobServer(options,client);const needed=complete(options,
job===null?NEEDED:NEEDED_IN_JOB);const findDestination=job===null?readDestination(needed,client):createJobDestination(needed,
job);const{onPage,end}=startProgress(output,`the changes of ${needed.workspace}`,systemClock);const sent=await sendFiles(
readSentFiles(needed),{...{findDestination,resolveLocal,retrying:RETRYING,onPage},note:text=>output.message(text)}).finally(
end);output.result(options.json?asJson(needed,sent):sent.executionId)}var RETRYING={tries:5,pauseMs:500,sleep:sleep5};function asJson({
workspace},{destination,executionId,stageId,pages}){const{org,project,repository,sha}=destination;const ids={pipeline_execution_id:executionId,
pipeline_stage_id:stageId};return JSON.stringify({org,project,workspace,...ids,repository,sha,pages})}function createJobDestination({
org,project,sha,repository},job){return async()=>{const found=await findJobDestination({...job,wanted:{org,project,sha}},
RETRYING);if(repository===void 0||repository.toLowerCase()===found.repository.toLowerCase())return found;throw usageError(
`--repository ${repository}: the job's id token is for ${found.repository}; leave the option out.`)}}var NEEDED=[["org",
"ORG"],["project","PROJECT"],["workspace","WORKSPACE"],["repository","OWNER/NAME"],["sha","SHA"]];var NEEDED_IN_JOB=NEEDED.
filter(([option])=>option==="workspace");function complete(options,needed){const{workspace}=options;const missing=needed.
filter(([option])=>options[option]===void 0).map(([option,value])=>`--${option} ${value}`);const nothing=options.plan===
void 0&&options.infracost===void 0;if(nothing&&(missing.length===0||missing.length===needed.length))throw usageError("Th\
ere is nothing to import: give --plan FILE, --infracost FILE, or one of the files of an account.");const all=nothing?[...missing,
"--plan FILE or --infracost FILE"]:missing;if(workspace!==void 0&&all.length===0)return{...options,workspace};const words=new Intl.
ListFormat("en-GB").format(all);throw usageError(`${words} ${all.length===1?"is":"are"} missing.`)}function readDestination(options,client){
const repository=parseRepository(options.repository??"");if(repository===null)throw usageError("--repository is neither \
OWNER/NAME nor the address of a repository.");const sha=parseSha((options.sha??"").toLowerCase());if(sha===null)throw usageError(
"--sha is not a full commit id of 40 (or 64) hex digits.");const destination={platform:resolveAddress(options,client),...{
org:requireScopeName(options,"org"),project:requireScopeName(options,"project"),sha},...{repository:`${repository.owner}\
/${repository.name}`,repositoryUrl:repository.url}};return()=>Promise.resolve(destination)}function readSentFiles({workspace,
branch="",pipeline,plan,infracost,execution}){if(workspace.length>128)throw usageError("--workspace has more than 128 ch\
aracters.");const executionId=execution??randomUUID4().replaceAll("-","");if(!isPlatformId(executionId))throw usageError(
`--execution ${JSON.stringify(executionId)} is no id of the platform: 1 to 128 letters, digits or _ . $ -`);if(plan==="-"&&
infracost==="-")throw usageError("The standard input can be one file only.");const files={plan:plan===void 0?null:inputFile(
plan),estimate:infracost===void 0?null:inputFile(infracost)};return{workspace,branch,pipeline,executionId,...files}}function requireScopeName(options,option){
const name=options[option]??"";if(isScopeName(name))return name;throw usageError(`--${option} ${JSON.stringify(name)} ca\
nnot name one: ${SCOPE_NAME}`)}var OWNER_AND_NAME=/^([A-Za-z0-9-]{1,39})\/([A-Za-z0-9._-]{1,100})$/;var ADDRESS=/^(?:(?:https?|ssh|git):\/\/(?:[^/@]*@)?[^/]+\/|[^/@:]+@[^/:]+:)(.+)$/i;
function parseRepository(text){const path=ADDRESS.exec(text)?.[1];const[,owner,name]=OWNER_AND_NAME.exec((path??text).replace(
/\/$/,"").replace(/\.git$/,""))??[];if(owner===void 0||name===void 0||name==="."||name==="..")return null;const url=path===
void 0?`https://github.com/${owner}/${name}`:withoutCredentials(text);return{owner,name,url}}var withoutCredentials=address=>address.
replace(/^(https?:\/\/)[^/@]*@/i,"$1");export{parseRepository,platformImportCommand};
