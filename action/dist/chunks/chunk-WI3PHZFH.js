import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
var p=Object.create;var i=Object.defineProperty;var c=Object.getOwnPropertyDescriptor;var f=Object.getOwnPropertyNames;var l=Object.
getPrototypeOf;var s=Object.prototype.hasOwnProperty;var a=t=>{throw TypeError(t)};var _=(t,e,o2)=>e in t?i(t,e,{enumerable:true,
configurable:true,writable:true,value:o2}):t[e]=o2;var d=(t,e)=>()=>(t&&(e=t(t=0)),e);var D=(t,e)=>()=>(e||t((e={exports:{}}).
exports,e),e.exports);var F=(t,e)=>{for(var o2 in e)i(t,o2,{get:e[o2],enumerable:true})};var g=(t,e,o2,m2)=>{if(e&&typeof e==
"object"||typeof e=="function")for(let r of f(e))!s.call(t,r)&&r!==o2&&i(t,r,{get:()=>e[r],enumerable:!(m2=c(e,r))||m2.enumerable});
return t};var L=(t,e,o2)=>(o2=t!=null?p(l(t)):{},g(e||!t||!t.__esModule?i(o2,"default",{value:t,enumerable:true}):o2,t));
var P=(t,e,o2)=>_(t,typeof e!="symbol"?e+"":e,o2);var n=(t,e,o2)=>e.has(t)||a("Cannot "+o2);var h=(t,e,o2)=>(n(t,e,"read\
 from private field"),o2?o2.call(t):e.get(t));var R=(t,e,o2)=>e.has(t)?a("Cannot add the same private member more than o\
nce"):e instanceof WeakSet?e.add(t):e.set(t,o2);var x=(t,e,o2,m2)=>(n(t,e,"write to private field"),m2?m2.call(t,o2):e.set(
t,o2),o2);var T=(t,e,o2)=>(n(t,e,"access private method"),o2);var U=(t,e,o2,m2)=>({set _(r){x(t,e,r,o2)},get _(){return h(
t,e,m2)}});var u=d(()=>{"use strict"});u();var f2=Object.defineProperty;var d2=(t,e)=>{for(var r in e)f2(t,r,{get:e[r],enumerable:true})};var p2={};d2(p2,{IN_NODE:()=>s2,
WASM_PREFIX:()=>y,getFsBundle:()=>w,instantiateWasm:()=>b,pgliteProc:()=>h2,rmdirRecursive:()=>g2,startArtifactDownload:()=>c2,
toPostgresName:()=>v,uuid:()=>S});function m(){let t=process.type;return t==="renderer"||t==="worker"||t==="service-work\
er"}var s2=typeof process=="object"&&typeof process.versions=="object"&&typeof process.versions.node=="string"&&!m();var y="\
/pglite";var h2=globalThis&&typeof globalThis.process<"u"?globalThis.process:{exitCode:void 0};var a2=new Map;async function c2(t){
s2||a2.has(t.toString())||a2.set(t.toString(),fetch(t))}var o=new Map;async function b(t,e){if(typeof e!="function")return{
instance:await WebAssembly.instantiate(e,t),module:e};let r=e();if(o.has(r.toString())){let i2=o.get(r.toString());return{
instance:await WebAssembly.instantiate(i2,t),module:i2}}if(s2){let i2=await(await import("fs/promises")).readFile(r),{module:n2,
instance:l2}=await WebAssembly.instantiate(i2,t);return o.set(r.toString(),n2),{instance:l2,module:n2}}else{a2.has(r.toString())||
c2(r);let i2=await a2.get(r.toString()),{module:n2,instance:l2}=await WebAssembly.instantiateStreaming(i2.clone(),t);return o.
set(r.toString(),n2),{instance:l2,module:n2}}}async function w(t){return s2?(await(await import("fs/promises")).readFile(
t)).buffer:(c2(t),(await a2.get(t.toString())).clone().arrayBuffer())}var S=()=>{if(globalThis.crypto?.randomUUID)return globalThis.
crypto.randomUUID();let t=new Uint8Array(16);if(globalThis.crypto?.getRandomValues)globalThis.crypto.getRandomValues(t);else
for(let r=0;r<t.length;r++)t[r]=Math.floor(Math.random()*256);t[6]=t[6]&15|64,t[8]=t[8]&63|128;let e=[];return t.forEach(
r=>{e.push(r.toString(16).padStart(2,"0"))}),e.slice(0,4).join("")+"-"+e.slice(4,6).join("")+"-"+e.slice(6,8).join("")+"\
-"+e.slice(8,10).join("")+"-"+e.slice(10).join("")};function v(t){let e;return t.startsWith('"')&&t.endsWith('"')?e=t.substring(
1,t.length-1):e=t.toLowerCase(),e}function g2(t,e){try{let r=t.readdir(e).filter(i2=>i2!=="."&&i2!=="..");for(let i2 of r){
let n2=e+"/"+i2;try{t.readdir(n2),g2(t,n2)}catch{t.unlink(n2)}}t.rmdir(e)}catch{try{t.unlink(e)}catch{}}}var j=D((xr,b2)=>{"use strict";u();var le=9007199254740991,ue=(function(e){return e})();function Be(e){return e===ue}function ce(e){
return typeof e=="string"||Object.prototype.toString.call(e)=="[object String]"}function je(e){return Object.prototype.toString.
call(e)=="[object Date]"}function W(e){return e!==null&&typeof e=="object"}function X(e){return typeof e=="function"}function Ye(e){
return typeof e=="number"&&e>-1&&e%1==0&&e<=le}function Ge(e){return Object.prototype.toString.call(e)=="[object Array]"}
function de(e){return W(e)&&!X(e)&&Ye(e.length)}function J(e){return Object.prototype.toString.call(e)=="[object ArrayBu\
ffer]"}function We(e,r){return Array.prototype.map.call(e,r)}function Xe(e,r){var t=ue;return X(r)&&Array.prototype.every.
call(e,function(n2,i2,o2){var a3=r(n2,i2,o2);return a3&&(t=n2),!a3}),t}function Ve(e){return Object.assign.apply(null,arguments)}
function fe(e){var r,t,n2;if(ce(e)){for(t=e.length,n2=new Uint8Array(t),r=0;r<t;r++)n2[r]=e.charCodeAt(r)&255;return n2}
return J(e)?new Uint8Array(e):W(e)&&J(e.buffer)?new Uint8Array(e.buffer):de(e)?new Uint8Array(e):W(e)&&X(e.toString)?fe(
e.toString()):new Uint8Array}b2.exports.MAX_SAFE_INTEGER=le;b2.exports.isUndefined=Be;b2.exports.isString=ce;b2.exports.
isObject=W;b2.exports.isDateTime=je;b2.exports.isFunction=X;b2.exports.isArray=Ge;b2.exports.isArrayLike=de;b2.exports.isArrayBuffer=
J;b2.exports.map=We;b2.exports.find=Xe;b2.exports.extend=Ve;b2.exports.toUint8Array=fe});var Y=D((Br,_e)=>{"use strict";
u();var Q="\0";_e.exports={NULL_CHAR:Q,TMAGIC:"ustar"+Q+"00",OLDGNU_MAGIC:"ustar  "+Q,REGTYPE:0,LNKTYPE:1,SYMTYPE:2,CHRTYPE:3,
BLKTYPE:4,DIRTYPE:5,FIFOTYPE:6,CONTTYPE:7,TSUID:parseInt("4000",8),TSGID:parseInt("2000",8),TSVTX:parseInt("1000",8),TUREAD:parseInt(
"0400",8),TUWRITE:parseInt("0200",8),TUEXEC:parseInt("0100",8),TGREAD:parseInt("0040",8),TGWRITE:parseInt("0020",8),TGEXEC:parseInt(
"0010",8),TOREAD:parseInt("0004",8),TOWRITE:parseInt("0002",8),TOEXEC:parseInt("0001",8),TPERMALL:parseInt("0777",8),TPERMMASK:parseInt(
"0777",8)}});var re=D((Yr,T2)=>{"use strict";u();var me=j(),w2=Y(),$e=512,Z=w2.TPERMALL,pe=0,Se=0,ee=[["name",100,0,function(e,r){
return G(e[r[0]],r[1])},function(e,r,t){return L2(e.slice(r,r+t[1]))}],["mode",8,100,function(e,r){var t=e[r[0]]||Z;return t=
t&w2.TPERMMASK,z(t,r[1],Z)},function(e,r,t){var n2=R2(e.slice(r,r+t[1]));return n2&=w2.TPERMMASK,n2}],["uid",8,108,function(e,r){
return z(e[r[0]],r[1],pe)},function(e,r,t){return R2(e.slice(r,r+t[1]))}],["gid",8,116,function(e,r){return z(e[r[0]],r[1],
Se)},function(e,r,t){return R2(e.slice(r,r+t[1]))}],["size",12,124,function(e,r){return z(e.data.length,r[1])},function(e,r,t){
return R2(e.slice(r,r+t[1]))}],["modifyTime",12,136,function(e,r){return V(e[r[0]],r[1])},function(e,r,t){return $(e.slice(
r,r+t[1]))}],["checksum",8,148,function(e,r){return"        "},function(e,r,t){return R2(e.slice(r,r+t[1]))}],["type",1,
156,function(e,r){return""+(parseInt(e[r[0]],10)||0)%8},function(e,r,t){return(parseInt(String.fromCharCode(e[r]),10)||0)%
8}],["linkName",100,157,function(e,r){return""},function(e,r,t){return L2(e.slice(r,r+t[1]))}],["ustar",8,257,function(e,r){
return w2.TMAGIC},function(e,r,t){return qe(L2(e.slice(r,r+t[1]),true))},function(e,r){return e[r[0]]==w2.TMAGIC||e[r[0]]==
w2.OLDGNU_MAGIC}],["owner",32,265,function(e,r){return G(e[r[0]],r[1])},function(e,r,t){return L2(e.slice(r,r+t[1]))}],[
"group",32,297,function(e,r){return G(e[r[0]],r[1])},function(e,r,t){return L2(e.slice(r,r+t[1]))}],["majorNumber",8,329,
function(e,r){return""},function(e,r,t){return R2(e.slice(r,r+t[1]))}],["minorNumber",8,337,function(e,r){return""},function(e,r,t){
return R2(e.slice(r,r+t[1]))}],["prefix",131,345,function(e,r){return G(e[r[0]],r[1])},function(e,r,t){return L2(e.slice(
r,r+t[1]))}],["accessTime",12,476,function(e,r){return V(e[r[0]],r[1])},function(e,r,t){return $(e.slice(r,r+t[1]))}],["\
createTime",12,488,function(e,r){return V(e[r[0]],r[1])},function(e,r,t){return $(e.slice(r,r+t[1]))}]],ge=(function(e){
var r=e[e.length-1];return r[2]+r[1]})(ee);function qe(e){if(e.length==8){var r=e.split("");if(r[5]==w2.NULL_CHAR)return(r[6]==
" "||r[6]==w2.NULL_CHAR)&&(r[6]="0"),(r[7]==" "||r[7]==w2.NULL_CHAR)&&(r[7]="0"),r=r.join(""),r==w2.TMAGIC?r:e;if(r[7]==
w2.NULL_CHAR)return r[5]==w2.NULL_CHAR&&(r[5]=" "),r[6]==w2.NULL_CHAR&&(r[6]=" "),r==w2.OLDGNU_MAGIC?r:e}return e}function G(e,r){
return r-=1,me.isUndefined(e)&&(e=""),e=(""+e).substr(0,r),e+w2.NULL_CHAR}function z(e,r,t){for(t=parseInt(t)||0,r-=1,e=
(parseInt(e)||t).toString(8).substr(-r,r);e.length<r;)e="0"+e;return e+w2.NULL_CHAR}function V(e,r){if(me.isDateTime(e))
e=Math.floor(1*e/1e3);else if(e=parseInt(e,10),isFinite(e)){if(e<=0)return""}else e=Math.floor(1*new Date/1e3);return z(
e,r,0)}function L2(e,r){var t=String.fromCharCode.apply(null,e);if(r)return t;var n2=t.indexOf(w2.NULL_CHAR);return n2>=
0?t.substr(0,n2):t}function R2(e){var r=String.fromCharCode.apply(null,e);return parseInt(r.replace(/^0+$/g,""),8)||0}function $(e){
return e.length==0||e[0]==0?null:new Date(1e3*R2(e))}function Ke(e,r,t){var n2=parseInt(r,10)||0,i2=Math.min(n2+ge,e.length),
o2=0,a3=0,s3=0;t&&ee.every(function(_2){return _2[0]=="checksum"?(a3=n2+_2[2],s3=a3+_2[1],false):true});for(var l2=32,u2=n2;u2<
i2;u2++){var c3=u2>=a3&&u2<s3?l2:e[u2];o2=(o2+c3)%262144}return o2}T2.exports.recordSize=$e;T2.exports.defaultFileMode=Z;
T2.exports.defaultUid=pe;T2.exports.defaultGid=Se;T2.exports.posixHeader=ee;T2.exports.effectiveHeaderSize=ge;T2.exports.
calculateChecksum=Ke;T2.exports.formatTarString=G;T2.exports.formatTarNumber=z;T2.exports.formatTarDateTime=V;T2.exports.
parseTarString=L2;T2.exports.parseTarNumber=R2;T2.exports.parseTarDateTime=$});var ye=D((Wr,Fe)=>{"use strict";u();var Je=Y(),
q=j(),H=re();function ve(e){return H.recordSize}function Ee(e){return Math.ceil(e.data.length/H.recordSize)*H.recordSize}
function Qe(e){var r=0;return e.forEach(function(t){r+=ve(t)+Ee(t)}),r+=H.recordSize*2,new Uint8Array(r)}function Ze(e,r,t){
t=parseInt(t)||0;var n2=t;H.posixHeader.forEach(function(l2){for(var u2=l2[3](r,l2),c3=u2.length,_2=0;_2<c3;_2+=1)e[n2+_2]=
u2.charCodeAt(_2)&255;n2+=l2[1]});var i2=q.find(H.posixHeader,function(l2){return l2[0]=="checksum"});if(i2){var o2=H.calculateChecksum(
e,t,true),a3=H.formatTarNumber(o2,i2[1]-2)+Je.NULL_CHAR+" ";n2=t+i2[2];for(var s3=0;s3<a3.length;s3+=1)e[n2]=a3.charCodeAt(
s3)&255,n2++}return t+ve(r)}function er(e,r,t){return t=parseInt(t,10)||0,e.set(r.data,t),t+Ee(r)}function rr(e){e=q.map(
e,function(n2){return q.extend({},n2,{data:q.toUint8Array(n2.data)})});var r=Qe(e),t=0;return e.forEach(function(n2){t=Ze(
r,n2,t),t=er(r,n2,t)}),r}Fe.exports.tar=rr});var we=D((Vr,he)=>{"use strict";u();var tr=Y(),ne=j(),D2=re(),nr={extractData:true,
checkHeader:true,checkChecksum:true,checkFileSize:true},ir={size:true,checksum:true,ustar:true},te={unexpectedEndOfFile:"\
Unexpected end of file.",fileCorrupted:"File is corrupted.",checksumCheckFailed:"Checksum check failed."};function or(e){
return D2.recordSize}function ar(e){return Math.ceil(e/D2.recordSize)*D2.recordSize}function sr(e,r){for(var t=r,n2=Math.
min(e.length,r+D2.recordSize*2),i2=t;i2<n2;i2++)if(e[i2]!=0)return false;return true}function lr(e,r,t){if(e.length-r<D2.
recordSize){if(t.checkFileSize)throw new Error(te.unexpectedEndOfFile);return null}r=parseInt(r)||0;var n2={},i2=r;if(D2.
posixHeader.forEach(function(s3){n2[s3[0]]=s3[4](e,i2,s3),i2+=s3[1]}),n2.type!=0&&(n2.size=0),t.checkHeader&&D2.posixHeader.
forEach(function(s3){if(ne.isFunction(s3[5])&&!s3[5](n2,s3)){var l2=new Error(te.fileCorrupted);throw l2.data={offset:r+
s3[2],field:s3[0]},l2}}),t.checkChecksum){var o2=D2.calculateChecksum(e,r,true);if(o2!=n2.checksum){var a3=new Error(te.
checksumCheckFailed);throw a3.data={offset:r,header:n2,checksum:o2},a3}}return n2}function ur(e,r,t,n2){return n2.extractData?
t.size<=0?new Uint8Array:e.slice(r,r+t.size):null}function cr(e,r){var t={};return D2.posixHeader.forEach(function(n2){var i2=n2[0];
ir[i2]||(t[i2]=e[i2])}),t.isOldGNUFormat=e.ustar==tr.OLDGNU_MAGIC,r&&(t.data=r),t}function dr(e,r){r=ne.extend({},nr,r);
for(var t=[],n2=0,i2=e.length;i2-n2>=D2.recordSize;){e=ne.toUint8Array(e);var o2=lr(e,n2,r);if(!o2)break;n2+=or(o2);var a3=ur(
e,n2,o2,r);if(t.push(cr(o2,a3)),n2+=ar(o2.size),sr(e,n2))break}return t}he.exports.untar=dr});var be=D((qr,Ae)=>{"use st\
rict";u();var fr=j(),_r=Y(),mr=ye(),pr=we();fr.extend(Ae.exports,mr,pr,_r)});u();u();var O=L(be(),1);async function ie(e,r,t="\
pgdata",n2="auto"){let i2=vr(e,r),[o2,a3]=await Er(i2,n2),s3=t+(a3?".tar.gz":".tar"),l2=a3?"application/x-gzip":"applica\
tion/x-tar";return typeof File<"u"?new File([o2],s3,{type:l2}):new Blob([o2],{type:l2})}var Sr=["application/x-gtar","ap\
plication/x-tar+gzip","application/x-gzip","application/gzip"];async function Jr(e,r,t){let n2=new Uint8Array(await r.arrayBuffer()),
i2=typeof File<"u"&&r instanceof File?r.name:void 0;(Sr.includes(r.type)||i2?.endsWith(".tgz")||i2?.endsWith(".tar.gz"))&&
(n2=await Te(n2));let a3;try{a3=(0,O.untar)(n2)}catch(s3){if(s3 instanceof Error&&s3.message.includes("File is corrupted"))
n2=await Te(n2),a3=(0,O.untar)(n2);else throw s3}for(let s3 of a3){let l2=`${t}/${s3.name}`,u2=l2.split("/").slice(0,-1);
for(let c3=1;c3<=u2.length;c3++){let _2=u2.slice(0,c3).join("/");_2.length&&!e.analyzePath(_2).exists&&e.mkdirTree(_2)}if(s3.
type===O.REGTYPE){e.writeFile(l2,s3.data);let c3=Ar(s3.modifyTime);e.utime(l2,c3,c3)}else s3.type===O.DIRTYPE&&(e.analyzePath(
l2).exists||e.mkdir(l2))}}function gr(e,r){let t=[],n2=i2=>{e.readdir(i2).forEach(a3=>{if(a3==="."||a3==="..")return;let s3=i2+
"/"+a3,l2=e.stat(s3),u2=e.isFile(l2.mode)?e.readFile(s3,{encoding:"binary"}):new Uint8Array(0);t.push({name:s3.substring(
r.length),mode:l2.mode,size:l2.size,type:e.isFile(l2.mode)?O.REGTYPE:O.DIRTYPE,modifyTime:l2.mtime,data:u2}),e.isDir(l2.
mode)&&n2(s3)})};return n2(r),t}function vr(e,r){let t=gr(e,r);return(0,O.tar)(t)}async function Er(e,r="auto"){if(r==="\
none")return[e,false];if(typeof CompressionStream<"u")return[await Fr(e),true];if(typeof process<"u"&&process.versions&&
process.versions.node)return[await yr(e),true];if(r==="auto")return[e,false];throw new Error("Compression not supported \
in this environment")}async function Fr(e){let r=new CompressionStream("gzip"),t=r.writable.getWriter(),n2=r.readable.getReader();
t.write(e),t.close();let i2=[];for(;;){let{value:s3,done:l2}=await n2.read();if(l2)break;s3&&i2.push(s3)}let o2=new Uint8Array(
i2.reduce((s3,l2)=>s3+l2.length,0)),a3=0;return i2.forEach(s3=>{o2.set(s3,a3),a3+=s3.length}),o2}async function yr(e){let{
promisify:r}=await import("util"),{gzip:t}=await import("zlib");return await r(t)(e)}async function Te(e){if(typeof CompressionStream<
"u")return await hr(e);if(typeof process<"u"&&process.versions&&process.versions.node)return await wr(e);throw new Error(
"Unsupported environment for decompression")}async function hr(e){let r=new DecompressionStream("gzip"),t=r.writable.getWriter(),
n2=r.readable.getReader();t.write(e),t.close();let i2=[];for(;;){let{value:s3,done:l2}=await n2.read();if(l2)break;s3&&i2.
push(s3)}let o2=new Uint8Array(i2.reduce((s3,l2)=>s3+l2.length,0)),a3=0;return i2.forEach(s3=>{o2.set(s3,a3),a3+=s3.length}),
o2}async function wr(e){let{promisify:r}=await import("util"),{gunzip:t}=await import("zlib");return await r(t)(e)}function Ar(e){
return e?typeof e=="number"?e*1e3:e.getTime():Date.now()}u();u();u();async function br(moduleArg={}){var Module=moduleArg,
ENVIRONMENT_IS_WEB=!!globalThis.window,ENVIRONMENT_IS_WORKER=!!globalThis.WorkerGlobalScope,ENVIRONMENT_IS_NODE=globalThis.
process?.versions?.node&&globalThis.process?.type!="renderer";if(ENVIRONMENT_IS_NODE){let{createRequire:e}=await import("node:module");
var require=e(import.meta.url)}var programArgs=[],thisProgram="./this.program",quit_=(e,r)=>{throw r},_scriptName=import.meta.
url,scriptDirectory="";function locateFile(e){return Module.locateFile?Module.locateFile(e,scriptDirectory):scriptDirectory+
e}var readAsync,readBinary;if(ENVIRONMENT_IS_NODE){var fs=require("node:fs");_scriptName.startsWith("file:")&&(scriptDirectory=
require("node:path").dirname(require("node:url").fileURLToPath(_scriptName))+"/"),readBinary=e=>{e=isFileURI(e)?new URL(
e):e;var r=fs.readFileSync(e);return r},readAsync=async(e,r=true)=>{e=isFileURI(e)?new URL(e):e;var t=fs.readFileSync(e,
r?void 0:"utf8");return t},process.argv.length>1&&(thisProgram=process.argv[1].replace(/\\/g,"/")),programArgs=process.argv.
slice(2),quit_=(e,r)=>{throw process.exitCode=e,r}}else if(ENVIRONMENT_IS_WEB||ENVIRONMENT_IS_WORKER){try{scriptDirectory=
new URL(".",_scriptName).href}catch{}ENVIRONMENT_IS_WORKER&&(readBinary=e=>{var r=new XMLHttpRequest;return r.open("GET",
e,false),r.responseType="arraybuffer",r.send(null),new Uint8Array(r.response)}),readAsync=async e=>{var r=await fetch(e,
{credentials:"same-origin"});if(r.ok)return r.arrayBuffer();throw new Error(r.status+" : "+r.url)}}var out=console.log.bind(
console),err=console.error.bind(console),dynamicLibraries=[],wasmBinary,ABORT=false,EXITSTATUS,isFileURI=e=>e.startsWith(
"file://");class EmscriptenEH{}class EmscriptenSjLj extends EmscriptenEH{}var runtimeInitialized=false,runtimeExited=false;
function getMemoryBuffer(){return wasmMemory.buffer}function updateMemoryViews(){if(!HEAP8?.buffer?.resizable){var e=getMemoryBuffer();
HEAP8=new Int8Array(e),HEAP16=new Int16Array(e),Module.HEAPU8=HEAPU8=new Uint8Array(e),HEAPU16=new Uint16Array(e),HEAP32=
new Int32Array(e),HEAPU32=new Uint32Array(e),HEAPF32=new Float32Array(e),HEAPF64=new Float64Array(e),HEAP64=new BigInt64Array(
e),HEAPU64=new BigUint64Array(e)}}var __RELOC_FUNCS__=[];function preRun(){var e=Module.preRun;e&&(typeof e=="function"&&
(e=[e]),onPreRuns.push(...e)),callRuntimeCallbacks(onPreRuns)}function initRuntime(){runtimeInitialized=true,callRuntimeCallbacks(
__RELOC_FUNCS__),!Module.noFSInit&&!FS.initialized&&FS.init(),TTY.init(),wasmExports.__wasm_call_ctors(),callRuntimeCallbacks(
onPostCtors),FS.ignorePermissions=false}function exitRuntime(){___funcs_on_exit(),FS.quit(),TTY.shutdown(),clearTimers(),
runtimeExited=true}function postRun(){var e=Module.postRun;e&&(typeof e=="function"&&(e=[e]),onPostRuns.push(...e)),callRuntimeCallbacks(
onPostRuns)}function abort(e){throw Module.onAbort?.(e),e=`Aborted(${e})`,err(e),ABORT=true,e+=". Build with -sASSERTION\
S for more info.",new WebAssembly.RuntimeError(e)}var wasmBinaryFile;function findWasmBinary(){return Module.locateFile?
locateFile("initdb.wasm"):new URL("initdb.wasm",import.meta.url).href}function getBinarySync(e){if(readBinary)return readBinary(
e);throw"both async and sync fetching of the wasm failed"}async function getWasmBinary(e){if(!wasmBinary)try{var r=await readAsync(
e);return new Uint8Array(r)}catch{}return getBinarySync(e)}async function instantiateArrayBuffer(e,r){try{var t=await getWasmBinary(
e),n2=await WebAssembly.instantiate(t,r);return n2}catch(i2){err(`failed to asynchronously prepare wasm: ${i2}`),abort(i2)}}
async function instantiateAsync(e,r,t){if(!e&&!ENVIRONMENT_IS_NODE)try{var n2=fetch(r,{credentials:"same-origin"}),i2=await WebAssembly.
instantiateStreaming(n2,t);return i2}catch(o2){err(`wasm streaming compile failed: ${o2}`),err("falling back to ArrayBuf\
fer instantiation")}return instantiateArrayBuffer(r,t)}function getWasmImports(){var e=new Proxy(new Set([]),GOTHandler),
r={env:wasmImports,wasi_snapshot_preview1:wasmImports,"GOT.mem":e,"GOT.func":e};return r}async function createWasm(){async function e(o2,a3){
wasmExports=o2.exports;var s3=wasmExports;mergeLibSymbols(wasmExports,"main");var l2=getDylinkMetadata(a3);return l2.neededDynlibs&&
(dynamicLibraries=l2.neededDynlibs.concat(dynamicLibraries)),assignWasmExports(wasmExports),updateGOT(s3),updateMemoryViews(),
LDSO.init(),await loadDylibs(),wasmExports}var r=getWasmImports(),t=Module.instantiateWasm;if(t)return new Promise(o2=>{
t(r,(a3,s3)=>o2(e(a3,s3)))});wasmBinaryFile??(wasmBinaryFile=findWasmBinary());var n2=await instantiateAsync(wasmBinary,
wasmBinaryFile,r),i2=await(function(o2){return e(o2.instance,o2.module)})(n2);return i2}class ExitStatus{constructor(r){
P(this,"name","ExitStatus");this.message=`Program terminated with exit(${r})`,this.status=r}}var GOT={},GOTHandler={get(e,r){
var t=GOT[r];return t||(t=GOT[r]=new WebAssembly.Global({value:"i32",mutable:true},-1)),e.has(r)||(t.required=true),t}},
HEAP16,HEAP32,HEAP64,HEAP8,HEAPF32,HEAPF64,HEAPU16,HEAPU32,HEAPU64,HEAPU8,callRuntimeCallbacks=e=>{for(;e.length>0;)e.shift()(
Module)},onPostRuns=[],onPreRuns=[],UTF8Decoder=globalThis.TextDecoder&&new TextDecoder,findStringEnd=(e,r,t,n2)=>{var i2=r+
t;if(n2)return i2;for(;e[r]&&!(r>=i2);)++r;return r},UTF8ArrayToString=(e,r=0,t,n2)=>{var i2=findStringEnd(e,r,t,n2);if(i2-
r>16&&e.buffer&&UTF8Decoder)return UTF8Decoder.decode(e.subarray(r,i2));for(var o2="";r<i2;){var a3=e[r++];if(!(a3&128)){
o2+=String.fromCharCode(a3);continue}var s3=e[r++]&63;if((a3&224)==192){o2+=String.fromCharCode((a3&31)<<6|s3);continue}
var l2=e[r++]&63;if((a3&240)==224?a3=(a3&15)<<12|s3<<6|l2:a3=(a3&7)<<18|s3<<12|l2<<6|e[r++]&63,a3<65536)o2+=String.fromCharCode(
a3);else{var u2=a3-65536;o2+=String.fromCharCode(55296|u2>>10,56320|u2&1023)}}return o2},getDylinkMetadata=e=>{var r=0,t=0;
function n2(){return e[r++]}function i2(){for(var d3=0,g3=1;;){var v2=e[r++];if(d3+=(v2&127)*g3,g3*=128,!(v2&128))break}
return d3}function o2(){var d3=i2();return r+=d3,UTF8ArrayToString(e,r-d3,d3)}function a3(){for(var d3=i2(),g3=[];d3--;)
g3.push(o2());return g3}function s3(d3,g3){if(d3)throw new Error(g3)}if(e instanceof WebAssembly.Module){var l2=WebAssembly.
Module.customSections(e,"dylink.0");s3(!l2.length,"need dylink section"),e=new Uint8Array(l2[0]),t=e.length}else{var u2=new Uint32Array(
new Uint8Array(e.subarray(0,24)).buffer),c3=u2[0]==1836278016;s3(!c3,"need to see wasm magic number"),s3(e[8],"need the \
dylink section to be first"),r=9;var _2=i2();t=r+_2;var m2=o2();s3(m2!=="dylink.0")}for(var f3={neededDynlibs:[],tlsExports:new Set,
weakImports:new Set,runtimePaths:[]};r<t;){var p3=n2(),F2=i2();if(p3===1)f3.memorySize=i2(),f3.memoryAlign=i2(),f3.tableSize=
i2(),f3.tableAlign=i2();else if(p3===2)f3.neededDynlibs=a3();else if(p3===3)for(var S2=i2();S2--;){var E=o2(),y2=i2();y2&
256&&f3.tlsExports.add(E)}else if(p3===4)for(S2=i2();S2--;)o2(),E=o2(),y2=i2(),(y2&3)==1&&f3.weakImports.add(E);else if(p3===
5)f3.runtimePaths=a3();else if(p3===6){var A=o2();s3(A!=="wasm32",`incorrect architecture (${A} vs wasm32)`)}else r+=F2}
return f3},newDSO=(e,r,t)=>{var n2={refcount:1/0,name:e,exports:t,global:true};return LDSO.loadedLibsByName[e]=n2,r!=null&&
(LDSO.loadedLibsByHandle[r]=n2),n2},LDSO={loadedLibsByName:{},loadedLibsByHandle:{},init(){newDSO("__main__",0,wasmImports)}},
alignMemory=(e,r)=>Math.ceil(e/r)*r,getMemory=e=>{if(runtimeInitialized)return _calloc(e,1);var r=___heap_base,t=r+alignMemory(
e,16);___heap_base=t;var n2=_emscripten_get_sbrk_ptr();return HEAPU32[n2>>2]=t,r},isInternalSym=e=>["memory","__memory_b\
ase","__table_base","__stack_pointer","__indirect_function_table","__cpp_exception","__c_longjmp","__wasm_apply_data_rel\
ocs","__dso_handle","__tls_size","__tls_align","__set_stack_limits","_emscripten_tls_init","__wasm_init_tls","__wasm_cal\
l_ctors","__start_em_asm","__stop_em_asm","__start_em_js","__stop_em_js"].includes(e)||e.startsWith("__em_js__"),wasmTableMirror=[],
getWasmTableEntry=e=>{var r=wasmTableMirror[e];return r||(wasmTableMirror[e]=r=wasmTable.get(e)),r},updateTableMap=(e,r)=>{
if(functionsInTableMap)for(var t=e;t<e+r;t++){var n2=getWasmTableEntry(t);n2&&functionsInTableMap.set(n2,t)}},functionsInTableMap,
getFunctionAddress=e=>(functionsInTableMap||(functionsInTableMap=new WeakMap,updateTableMap(0,wasmTable.length)),functionsInTableMap.
get(e)||0),freeTableIndexes=[],getEmptyTableSlot=()=>freeTableIndexes.length?freeTableIndexes.pop():wasmTable.grow(1),setWasmTableEntry=(e,r)=>{
wasmTable.set(e,r),wasmTableMirror[e]=wasmTable.get(e)},uleb128EncodeWithLen=e=>{let r=e.length;return[r%128|128,r>>7,...e]},
wasmTypeCodes={i:127,p:127,j:126,f:125,d:124,e:111},generateTypePack=e=>uleb128EncodeWithLen(Array.from(e,r=>{var t=wasmTypeCodes[r];
return t})),convertJsFunctionToWasm=(e,r)=>{var t=Uint8Array.of(0,97,115,109,1,0,0,0,1,...uleb128EncodeWithLen([1,96,...generateTypePack(
r.slice(1)),...generateTypePack(r[0]==="v"?"":r[0])]),2,7,1,1,101,1,102,0,0,7,5,1,1,102,0,0),n2=new WebAssembly.Module(t),
i2=new WebAssembly.Instance(n2,{e:{f:e}}),o2=i2.exports.f;return o2},addFunction=(e,r)=>{var t=getFunctionAddress(e);if(t)
return t;var n2=getEmptyTableSlot();try{setWasmTableEntry(n2,e)}catch(o2){if(!(o2 instanceof TypeError))throw o2;var i2=convertJsFunctionToWasm(
e,r);setWasmTableEntry(n2,i2)}return functionsInTableMap.set(e,n2),n2},updateGOT=(e,r)=>{for(var t in e)if(!isInternalSym(
t)){var n2=e[t],i2=GOT[t]&&GOT[t].value!=-1;if(r||!i2){var o2;if(typeof n2=="function")o2=addFunction(n2);else if(typeof n2.
value=="number")o2=n2;else continue;GOT[t]??(GOT[t]=new WebAssembly.Global({value:"i32",mutable:true})),GOT[t].value=o2}}},
isImmutableGlobal=e=>{if(e instanceof WebAssembly.Global)try{e.value=e.value}catch{return true}return false},relocateExports=(e,r=0)=>{
function t(o2,a3){return isImmutableGlobal(a3)?new WebAssembly.Global({value:"i32"},a3.value+r):a3}var n2={};for(var i2 in e)
n2[i2]=t(0,e[i2]);return n2},isSymbolDefined=e=>{var r=wasmImports[e];return!(!r||r.stub)},createNamedFunction=(e,r)=>Object.
defineProperty(r,"name",{value:e}),dynCall=(e,r,t=[])=>{var n2=getWasmTableEntry(r),i2=n2(...t);return(function(o2){return o2})(
i2)},stackSave=()=>_emscripten_stack_get_current(),stackRestore=e=>__emscripten_stack_restore(e),createInvokeFunction=e=>(r,...t)=>{
var n2=stackSave();try{return dynCall(e,r,t)}catch(i2){if(stackRestore(n2),!(i2 instanceof EmscriptenEH))throw i2;if(_setThrew(
1,0),e[0]=="j")return 0n}},resolveGlobalSymbol=e=>{var r;return isSymbolDefined(e)?r=wasmImports[e]:e.startsWith("invoke\
_")&&(r=wasmImports[e]=createNamedFunction(e,createInvokeFunction(e.split("_")[1]))),{sym:r,name:e}},onPostCtors=[],addOnPostCtor=e=>{
onPostCtors.push(e)},UTF8ToString=(e,r,t)=>e?UTF8ArrayToString(HEAPU8,e,r,t):"",loadWebAssemblyModule=(binary,flags,libName,localScope,handle)=>{
var metadata=getDylinkMetadata(binary);function loadModule(){var memAlign=Math.pow(2,metadata.memoryAlign),memoryBase=metadata.
memorySize?alignMemory(getMemory(metadata.memorySize+memAlign),memAlign):0,tableBase=metadata.tableSize?wasmTable.length:
0;handle&&(HEAP8[handle+8]=1,HEAPU32[handle+12>>2]=memoryBase,HEAP32[handle+16>>2]=metadata.memorySize,HEAPU32[handle+20>>
2]=tableBase,HEAP32[handle+24>>2]=metadata.tableSize),metadata.tableSize&&wasmTable.grow(metadata.tableSize);var moduleExports;
function resolveSymbol(e){var r=resolveGlobalSymbol(e).sym;return!r&&localScope&&(r=localScope[e]),r||(r=moduleExports[e]),
r}var proxyHandler={get(e,r){switch(r){case"__memory_base":return memoryBase;case"__table_base":return tableBase}if(r in
wasmImports&&!wasmImports[r].stub){var t=wasmImports[r];return t}if(!(r in e)){var n2;e[r]=(...i2)=>(n2||(n2=resolveSymbol(
r)),n2(...i2))}return e[r]}},proxy=new Proxy({},proxyHandler),GOTProxy=new Proxy(metadata.weakImports,GOTHandler),info={
"GOT.mem":GOTProxy,"GOT.func":GOTProxy,env:proxy,wasi_snapshot_preview1:proxy};function postInstantiation(module,instance){
updateTableMap(tableBase,metadata.tableSize),moduleExports=relocateExports(instance.exports,memoryBase),updateGOT(moduleExports),
flags.allowUndefined||reportUndefinedSymbols();function addEmAsm(addr,body){for(var args=[],arity=0;;arity++){var argName="\
$"+arity;if(!body.includes(argName))break;args.push(argName)}args=args.join();var func=`(${args}) => { ${body} };`;ASM_CONSTS[start]=
eval(func)}if("__start_em_asm"in moduleExports)for(var start=moduleExports.__start_em_asm.value,stop=moduleExports.__stop_em_asm.
value;start<stop;){var jsString=UTF8ToString(start);addEmAsm(start,jsString),start=HEAPU8.indexOf(0,start)+1}function addEmJs(name,cSig,body){
var jsArgs=[];if(cSig=cSig.slice(1,-1),cSig!="void"){cSig=cSig.split(",");for(var arg of cSig){var jsArg=arg.split(" ").
pop();jsArgs.push(jsArg.replaceAll("*",""))}}var func=`(${jsArgs}) => ${body};`;moduleExports[name]=eval(func)}for(var name in moduleExports)
if(name.startsWith("__em_js__")){var start=moduleExports[name].value,jsString=UTF8ToString(start),[sig,body]=jsString.split(
"<::>");addEmJs(name.replace("__em_js__",""),sig,body),delete moduleExports[name]}var applyRelocs=moduleExports.__wasm_apply_data_relocs;
applyRelocs&&(runtimeInitialized?applyRelocs():__RELOC_FUNCS__.push(applyRelocs));var init=moduleExports.__wasm_call_ctors;
return init&&(runtimeInitialized?init():addOnPostCtor(init)),moduleExports}if(flags.loadAsync)return(async()=>{var e;return binary instanceof
WebAssembly.Module?e=new WebAssembly.Instance(binary,info):{module:binary,instance:e}=await WebAssembly.instantiate(binary,
info),postInstantiation(binary,e)})();var module=binary instanceof WebAssembly.Module?binary:new WebAssembly.Module(binary),
instance=new WebAssembly.Instance(module,info);return postInstantiation(module,instance)}if(flags={...flags,rpath:{parentLibPath:libName,
paths:metadata.runtimePaths}},flags.loadAsync)return metadata.neededDynlibs.reduce((e,r)=>e.then(()=>(r=findLibraryFS(r,
flags.rpath)??r,loadDynamicLibrary(r,flags,localScope))),Promise.resolve()).then(loadModule);for(var needed of metadata.
neededDynlibs)needed=findLibraryFS(needed,flags.rpath)??needed,loadDynamicLibrary(needed,flags,localScope);return loadModule()},
mergeLibSymbols=e=>{for(var[r,t]of Object.entries(e)){let n2=o2=>{isSymbolDefined(o2)||(wasmImports[o2]=t)};n2(r);let i2="\
__main_argc_argv";r=="main"&&n2(i2),r==i2&&n2("main")}},asyncLoad=async e=>{var r=await readAsync(e);return new Uint8Array(
r)},preloadPlugins=[],registerWasmPlugin=()=>{var e={canHandle:r=>!Module.noWasmDecoding&&r.endsWith(".so"),handle:async(r,t)=>{
try{var n2=await loadWebAssemblyModule(r,{loadAsync:true,nodelete:true},t,{})}catch(i2){throw new Error(`failed to insta\
ntiate wasm: ${t}: ${i2}`)}return preloadedWasm[t]=n2,r}};preloadPlugins.push(e)},preloadedWasm={},PATH={isAbs:e=>e.charAt(
0)==="/",splitPath:e=>/^(\/?|)([\s\S]*?)((?:\.{1,2}|[^\/]+?|)(\.[^.\/]*|))(?:[\/]*)$/.exec(e).slice(1),normalizeArray:(e,r)=>{
for(var t=0,n2=e.length-1;n2>=0;n2--){var i2=e[n2];i2==="."?e.splice(n2,1):i2===".."?(e.splice(n2,1),t++):t&&(e.splice(n2,
1),t--)}if(r)for(;t;t--)e.unshift("..");return e},normalize:e=>{var r=PATH.isAbs(e),t=e.slice(-1)==="/";return e=PATH.normalizeArray(
e.split("/").filter(n2=>!!n2),!r).join("/"),!e&&!r&&(e="."),e&&t&&(e+="/"),(r?"/":"")+e},dirname:e=>{var r=PATH.splitPath(
e),t=r[0],n2=r[1];return!t&&!n2?".":(n2&&(n2=n2.slice(0,-1)),t+n2)},basename:e=>e&&e.match(/([^\/]+|\/)\/*$/)[1],join:(...e)=>PATH.
normalize(e.join("/")),join2:(e,r)=>PATH.normalize(e+"/"+r)},replaceORIGIN=(e,r)=>{if(r.startsWith("$ORIGIN")){var t=PATH.
dirname(e);return r.replace("$ORIGIN",t)}return r},withStackSave=e=>{var r=stackSave(),t=e();return stackRestore(r),t},stackAlloc=e=>__emscripten_stack_alloc(
e),lengthBytesUTF8=e=>{for(var r=0,t=0;t<e.length;++t){var n2=e.charCodeAt(t);n2<=127?r++:n2<=2047?r+=2:n2>=55296&&n2<=57343?
(r+=4,++t):r+=3}return r},stringToUTF8Array=(e,r,t,n2)=>{if(!(n2>0))return 0;for(var i2=t,o2=t+n2-1,a3=0;a3<e.length;++a3){
var s3=e.codePointAt(a3);if(s3<=127){if(t>=o2)break;r[t++]=s3}else if(s3<=2047){if(t+1>=o2)break;r[t++]=192|s3>>6,r[t++]=
128|s3&63}else if(s3<=65535){if(t+2>=o2)break;r[t++]=224|s3>>12,r[t++]=128|s3>>6&63,r[t++]=128|s3&63}else{if(t+3>=o2)break;
r[t++]=240|s3>>18,r[t++]=128|s3>>12&63,r[t++]=128|s3>>6&63,r[t++]=128|s3&63,a3++}}return r[t]=0,t-i2},stringToUTF8=(e,r,t)=>stringToUTF8Array(
e,HEAPU8,r,t),stringToUTF8OnStack=e=>{var r=lengthBytesUTF8(e)+1,t=stackAlloc(r);return stringToUTF8(e,t,r),t},initRandomFill=()=>{
if(ENVIRONMENT_IS_NODE){var e=require("node:crypto");return r=>(e.randomFillSync(r),0)}return r=>(crypto.getRandomValues(
r),0)},randomFill=e=>(randomFill=initRandomFill())(e),PATH_FS={resolve:(...e)=>{for(var r="",t=false,n2=e.length-1;n2>=-1&&
!t;n2--){var i2=n2>=0?e[n2]:FS.cwd();if(typeof i2!="string")throw new TypeError("Arguments to path.resolve must be strin\
gs");if(!i2)return"";r=i2+"/"+r,t=PATH.isAbs(i2)}return r=PATH.normalizeArray(r.split("/").filter(o2=>!!o2),!t).join("/"),
(t?"/":"")+r||"."},relative:(e,r)=>{e=PATH_FS.resolve(e).slice(1),r=PATH_FS.resolve(r).slice(1);function t(u2){for(var c3=0;c3<
u2.length&&u2[c3]==="";c3++);for(var _2=u2.length-1;_2>=0&&u2[_2]==="";_2--);return c3>_2?[]:u2.slice(c3,_2-c3+1)}for(var n2=t(
e.split("/")),i2=t(r.split("/")),o2=Math.min(n2.length,i2.length),a3=o2,s3=0;s3<o2;s3++)if(n2[s3]!==i2[s3]){a3=s3;break}
var l2=[];for(s3=a3;s3<n2.length;s3++)l2.push("..");return l2=l2.concat(i2.slice(a3)),l2.join("/")}},FS_stdin_getChar_buffer=[],
intArrayFromString=(e,r,t)=>{var n2=t>0?t:lengthBytesUTF8(e)+1,i2=new Array(n2),o2=stringToUTF8Array(e,i2,0,i2.length);return r&&
(i2.length=o2),i2},FS_stdin_getChar=()=>{if(!FS_stdin_getChar_buffer.length){var e=null;if(ENVIRONMENT_IS_NODE){var r=Buffer.
alloc(256),t=0;try{t=fs.readSync(process.stdin.fd,r,0,256)}catch(n2){if(n2.toString().includes("EOF"))t=0;else throw n2}
t>0&&(e=r.toString("utf-8",0,t))}else globalThis.window?.prompt&&(e=window.prompt("Input: "),e!==null&&(e+=`
`));if(!e)return null;FS_stdin_getChar_buffer=intArrayFromString(e,true)}return FS_stdin_getChar_buffer.shift()},TTY={ttys:[],
init(){},shutdown(){},register(e,r){TTY.ttys[e]={input:[],output:[],ops:r},FS.registerDevice(e,TTY.stream_ops)},stream_ops:{
open(e){var r=TTY.ttys[e.node.rdev];if(!r)throw new FS.ErrnoError(43);e.tty=r,e.seekable=false},close(e){e.tty.ops.fsync(
e.tty)},fsync(e){e.tty.ops.fsync(e.tty)},read(e,r,t,n2,i2){if(!e.tty||!e.tty.ops.get_char)throw new FS.ErrnoError(60);for(var o2=0,
a3=0;a3<n2;a3++){var s3;try{s3=e.tty.ops.get_char(e.tty)}catch{throw new FS.ErrnoError(29)}if(s3===void 0&&!o2)throw new FS.
ErrnoError(6);if(s3==null||(o2++,r[t+a3]=s3,s3===10))break}return o2&&(e.node.atime=Date.now()),o2},write(e,r,t,n2,i2){if(!e.
tty||!e.tty.ops.put_char)throw new FS.ErrnoError(60);try{for(var o2=0;o2<n2;o2++)e.tty.ops.put_char(e.tty,r[t+o2])}catch{
throw new FS.ErrnoError(29)}return n2&&(e.node.mtime=e.node.ctime=Date.now()),o2}},default_tty_ops:{get_char(e){return FS_stdin_getChar()},
put_char(e,r){r===null||r===10?(out(UTF8ArrayToString(e.output)),e.output=[]):r!=0&&e.output.push(r)},fsync(e){e.output?.
length>0&&(out(UTF8ArrayToString(e.output)),e.output=[])},ioctl_tcgets(e){return{c_iflag:25856,c_oflag:5,c_cflag:191,c_lflag:35387,
c_cc:[3,28,127,21,4,0,1,0,17,19,26,0,18,15,23,22,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}},ioctl_tcsets(e,r,t){return 0},ioctl_tiocgwinsz(e){
return[24,80]}},default_tty1_ops:{put_char(e,r){r===null||r===10?(err(UTF8ArrayToString(e.output)),e.output=[]):r!=0&&e.
output.push(r)},fsync(e){e.output?.length>0&&(err(UTF8ArrayToString(e.output)),e.output=[])}}},zeroMemory=(e,r)=>HEAPU8.
fill(0,e,e+r),mmapAlloc=e=>{e=alignMemory(e,65536);var r=_emscripten_builtin_memalign(65536,e);return r&&zeroMemory(r,e),
r},MEMFS={ops_table:null,mount(e){return MEMFS.createNode(null,"/",16895,0)},createNode(e,r,t,n2){if(FS.isBlkdev(t)||FS.
isFIFO(t))throw new FS.ErrnoError(63);MEMFS.ops_table||(MEMFS.ops_table={dir:{node:{getattr:MEMFS.node_ops.getattr,setattr:MEMFS.
node_ops.setattr,lookup:MEMFS.node_ops.lookup,mknod:MEMFS.node_ops.mknod,rename:MEMFS.node_ops.rename,unlink:MEMFS.node_ops.
unlink,rmdir:MEMFS.node_ops.rmdir,readdir:MEMFS.node_ops.readdir,symlink:MEMFS.node_ops.symlink},stream:{llseek:MEMFS.stream_ops.
llseek}},file:{node:{getattr:MEMFS.node_ops.getattr,setattr:MEMFS.node_ops.setattr},stream:{llseek:MEMFS.stream_ops.llseek,
read:MEMFS.stream_ops.read,write:MEMFS.stream_ops.write,mmap:MEMFS.stream_ops.mmap,msync:MEMFS.stream_ops.msync}},link:{
node:{getattr:MEMFS.node_ops.getattr,setattr:MEMFS.node_ops.setattr,readlink:MEMFS.node_ops.readlink},stream:{}},chrdev:{
node:{getattr:MEMFS.node_ops.getattr,setattr:MEMFS.node_ops.setattr},stream:FS.chrdev_stream_ops}});var i2=FS.createNode(
e,r,t,n2);return FS.isDir(i2.mode)?(i2.node_ops=MEMFS.ops_table.dir.node,i2.stream_ops=MEMFS.ops_table.dir.stream,i2.contents=
{}):FS.isFile(i2.mode)?(i2.node_ops=MEMFS.ops_table.file.node,i2.stream_ops=MEMFS.ops_table.file.stream,i2.usedBytes=0,i2.
contents=MEMFS.emptyFileContents??(MEMFS.emptyFileContents=new Uint8Array(0))):FS.isLink(i2.mode)?(i2.node_ops=MEMFS.ops_table.
link.node,i2.stream_ops=MEMFS.ops_table.link.stream):FS.isChrdev(i2.mode)&&(i2.node_ops=MEMFS.ops_table.chrdev.node,i2.stream_ops=
MEMFS.ops_table.chrdev.stream),i2.atime=i2.mtime=i2.ctime=Date.now(),e&&(e.contents[r]=i2,e.atime=e.mtime=e.ctime=i2.atime),
i2},getFileDataAsTypedArray(e){return e.contents.subarray(0,e.usedBytes)},expandFileStorage(e,r){var t=e.contents.length;
if(!(t>=r)){r=Math.max(r,t*(t<1048576?2:1.125)>>>0),t&&(r=Math.max(r,256));var n2=MEMFS.getFileDataAsTypedArray(e);e.contents=
new Uint8Array(r),e.contents.set(n2)}},resizeFileStorage(e,r){if(e.usedBytes!=r){var t=e.contents;e.contents=new Uint8Array(
r),e.contents.set(t.subarray(0,Math.min(r,e.usedBytes))),e.usedBytes=r}},node_ops:{getattr(e){var r={};return r.dev=FS.isChrdev(
e.mode)?e.id:1,r.ino=e.id,r.mode=e.mode,r.nlink=1,r.uid=0,r.gid=0,r.rdev=e.rdev,FS.isDir(e.mode)?r.size=4096:FS.isFile(e.
mode)?r.size=e.usedBytes:FS.isLink(e.mode)?r.size=e.link.length:r.size=0,r.atime=new Date(e.atime),r.mtime=new Date(e.mtime),
r.ctime=new Date(e.ctime),r.blksize=4096,r.blocks=Math.ceil(r.size/r.blksize),r},setattr(e,r){for(let t of["mode","atime",
"mtime","ctime"])r[t]!=null&&(e[t]=r[t]);r.size!==void 0&&MEMFS.resizeFileStorage(e,r.size)},lookup(e,r){throw MEMFS.doesNotExistError||
(MEMFS.doesNotExistError=new FS.ErrnoError(44),MEMFS.doesNotExistError.stack="<generic error, no stack>"),MEMFS.doesNotExistError},
mknod(e,r,t,n2){return MEMFS.createNode(e,r,t,n2)},rename(e,r,t){var n2;try{n2=FS.lookupNode(r,t)}catch{}if(n2&&FS.isDir(
e.mode))for(var i2 in n2.contents)throw new FS.ErrnoError(55);delete e.parent.contents[e.name],r.contents[t]=e,e.name=t,
r.ctime=r.mtime=e.parent.ctime=e.parent.mtime=Date.now()},unlink(e,r){delete e.contents[r],e.ctime=e.mtime=Date.now()},rmdir(e,r){
var t=FS.lookupNode(e,r);for(var n2 in t.contents)throw new FS.ErrnoError(55);delete e.contents[r],e.ctime=e.mtime=Date.
now()},readdir(e){return[".","..",...Object.keys(e.contents)]},symlink(e,r,t){var n2=MEMFS.createNode(e,r,41471,0);return n2.
link=t,n2},readlink(e){if(!FS.isLink(e.mode))throw new FS.ErrnoError(28);return e.link}},stream_ops:{read(e,r,t,n2,i2){var o2=e.
node.contents;if(i2>=e.node.usedBytes)return 0;var a3=Math.min(e.node.usedBytes-i2,n2);return r.set(o2.subarray(i2,i2+a3),
t),a3},write(e,r,t,n2,i2,o2){if(r.buffer===HEAP8.buffer&&(o2=false),!n2)return 0;var a3=e.node;return a3.mtime=a3.ctime=
Date.now(),o2?(a3.contents=r.subarray(t,t+n2),a3.usedBytes=n2):!a3.usedBytes&&!i2?(a3.contents=r.slice(t,t+n2),a3.usedBytes=
n2):(MEMFS.expandFileStorage(a3,i2+n2),a3.contents.set(r.subarray(t,t+n2),i2),a3.usedBytes=Math.max(a3.usedBytes,i2+n2)),
n2},llseek(e,r,t){var n2=r;if(t===1?n2+=e.position:t===2&&FS.isFile(e.node.mode)&&(n2+=e.node.usedBytes),n2<0)throw new FS.
ErrnoError(28);return n2},mmap(e,r,t,n2,i2){if(!FS.isFile(e.node.mode))throw new FS.ErrnoError(43);var o2,a3,s3=e.node.contents;
if(!(i2&2)&&s3.buffer===HEAP8.buffer)a3=false,o2=s3.byteOffset;else{if(a3=true,o2=mmapAlloc(r),!o2)throw new FS.ErrnoError(
48);s3&&((t>0||t+r<s3.length)&&(s3.subarray?s3=s3.subarray(t,t+r):s3=Array.prototype.slice.call(s3,t,t+r)),HEAP8.set(s3,
o2))}return{ptr:o2,allocated:a3}},msync(e,r,t,n2,i2){return MEMFS.stream_ops.write(e,r,0,n2,t,false),0}}},FS_modeStringToFlags=e=>{
if(typeof e!="string")return e;var r={r:0,"r+":2,w:577,"w+":578,a:1089,"a+":1090}[e];if(typeof r>"u")throw new Error(`Un\
known file open mode: ${e}`);return r},FS_fileDataToTypedArray=e=>(typeof e=="string"&&(e=intArrayFromString(e,true)),e.
subarray||(e=new Uint8Array(e)),e),FS_getMode=(e,r)=>{var t=0;return e&&(t|=365),r&&(t|=146),t},ERRNO_CODES={EPERM:63,ENOENT:44,
ESRCH:71,EINTR:27,EIO:29,ENXIO:60,E2BIG:1,ENOEXEC:45,EBADF:8,ECHILD:12,EAGAIN:6,EWOULDBLOCK:6,ENOMEM:48,EACCES:2,EFAULT:21,
ENOTBLK:105,EBUSY:10,EEXIST:20,EXDEV:75,ENODEV:43,ENOTDIR:54,EISDIR:31,EINVAL:28,ENFILE:41,EMFILE:33,ENOTTY:59,ETXTBSY:74,
EFBIG:22,ENOSPC:51,ESPIPE:70,EROFS:69,EMLINK:34,EPIPE:64,EDOM:18,ERANGE:68,ENOMSG:49,EIDRM:24,ECHRNG:106,EL2NSYNC:156,EL3HLT:107,
EL3RST:108,ELNRNG:109,EUNATCH:110,ENOCSI:111,EL2HLT:112,EDEADLK:16,ENOLCK:46,EBADE:113,EBADR:114,EXFULL:115,ENOANO:104,EBADRQC:103,
EBADSLT:102,EDEADLOCK:16,EBFONT:101,ENOSTR:100,ENODATA:116,ETIME:117,ENOSR:118,ENONET:119,ENOPKG:120,EREMOTE:121,ENOLINK:47,
EADV:122,ESRMNT:123,ECOMM:124,EPROTO:65,EMULTIHOP:36,EDOTDOT:125,EBADMSG:9,ENOTUNIQ:126,EBADFD:127,EREMCHG:128,ELIBACC:129,
ELIBBAD:130,ELIBSCN:131,ELIBMAX:132,ELIBEXEC:133,ENOSYS:52,ENOTEMPTY:55,ENAMETOOLONG:37,ELOOP:32,EOPNOTSUPP:138,EPFNOSUPPORT:139,
ECONNRESET:15,ENOBUFS:42,EAFNOSUPPORT:5,EPROTOTYPE:67,ENOTSOCK:57,ENOPROTOOPT:50,ESHUTDOWN:140,ECONNREFUSED:14,EADDRINUSE:3,
ECONNABORTED:13,ENETUNREACH:40,ENETDOWN:38,ETIMEDOUT:73,EHOSTDOWN:142,EHOSTUNREACH:23,EINPROGRESS:26,EALREADY:7,EDESTADDRREQ:17,
EMSGSIZE:35,EPROTONOSUPPORT:66,ESOCKTNOSUPPORT:137,EADDRNOTAVAIL:4,ENETRESET:39,EISCONN:30,ENOTCONN:53,ETOOMANYREFS:141,
EUSERS:136,EDQUOT:19,ESTALE:72,ENOTSUP:138,ENOMEDIUM:148,EILSEQ:25,EOVERFLOW:61,ECANCELED:11,ENOTRECOVERABLE:56,EOWNERDEAD:62,
ESTRPIPE:135},PROXYFS={mount(e){return PROXYFS.createNode(null,"/",e.opts.fs.lstat(e.opts.root).mode,0)},createNode(e,r,t,n2){
if(!FS.isDir(t)&&!FS.isFile(t)&&!FS.isLink(t))throw new FS.ErrnoError(ERRNO_CODES.EINVAL);var i2=FS.createNode(e,r,t);return i2.
node_ops=PROXYFS.node_ops,i2.stream_ops=PROXYFS.stream_ops,i2},realPath(e){for(var r=[];e.parent!==e;)r.push(e.name),e=e.
parent;return r.push(e.mount.opts.root),r.reverse(),PATH.join(...r)},node_ops:{getattr(e){var r=PROXYFS.realPath(e),t;try{
t=e.mount.opts.fs.lstat(r)}catch(n2){throw n2.code?new FS.ErrnoError(ERRNO_CODES[n2.code]):n2}return{dev:t.dev,ino:t.ino,
mode:t.mode,nlink:t.nlink,uid:t.uid,gid:t.gid,rdev:t.rdev,size:t.size,atime:t.atime,mtime:t.mtime,ctime:t.ctime,blksize:t.
blksize,blocks:t.blocks}},setattr(e,r){var t=PROXYFS.realPath(e);try{if(r.mode!==void 0&&(e.mount.opts.fs.chmod(t,r.mode),
e.mode=r.mode),r.atime||r.mtime){var n2=new Date(r.atime||r.mtime),i2=new Date(r.mtime||r.atime);e.mount.opts.fs.utime(t,
n2,i2)}r.size!==void 0&&e.mount.opts.fs.truncate(t,r.size)}catch(o2){throw o2.code?new FS.ErrnoError(ERRNO_CODES[o2.code]):
o2}},lookup(e,r){try{var t=PATH.join2(PROXYFS.realPath(e),r),n2=e.mount.opts.fs.lstat(t).mode,i2=PROXYFS.createNode(e,r,
n2);return i2}catch(o2){throw o2.code?new FS.ErrnoError(ERRNO_CODES[o2.code]):o2}},mknod(e,r,t,n2){var i2=PROXYFS.createNode(
e,r,t,n2),o2=PROXYFS.realPath(i2);try{FS.isDir(i2.mode)?i2.mount.opts.fs.mkdir(o2,i2.mode):i2.mount.opts.fs.writeFile(o2,
"",{mode:i2.mode})}catch(a3){throw a3.code?new FS.ErrnoError(ERRNO_CODES[a3.code]):a3}return i2},rename(e,r,t){var n2=PROXYFS.
realPath(e),i2=PATH.join2(PROXYFS.realPath(r),t);try{e.mount.opts.fs.rename(n2,i2),e.name=t}catch(o2){throw o2.code?new FS.
ErrnoError(ERRNO_CODES[o2.code]):o2}},unlink(e,r){var t=PATH.join2(PROXYFS.realPath(e),r);try{e.mount.opts.fs.unlink(t)}catch(n2){
throw n2.code?new FS.ErrnoError(ERRNO_CODES[n2.code]):n2}},rmdir(e,r){var t=PATH.join2(PROXYFS.realPath(e),r);try{e.mount.
opts.fs.rmdir(t)}catch(n2){throw n2.code?new FS.ErrnoError(ERRNO_CODES[n2.code]):n2}},readdir(e){var r=PROXYFS.realPath(
e);try{return e.mount.opts.fs.readdir(r)}catch(t){throw t.code?new FS.ErrnoError(ERRNO_CODES[t.code]):t}},symlink(e,r,t){
var n2=PATH.join2(PROXYFS.realPath(e),r);try{e.mount.opts.fs.symlink(t,n2)}catch(i2){throw i2.code?new FS.ErrnoError(ERRNO_CODES[i2.
code]):i2}},readlink(e){var r=PROXYFS.realPath(e);try{return e.mount.opts.fs.readlink(r)}catch(t){throw t.code?new FS.ErrnoError(
ERRNO_CODES[t.code]):t}}},stream_ops:{open(e){var r=PROXYFS.realPath(e.node);try{e.nfd=e.node.mount.opts.fs.open(r,e.flags)}catch(t){
throw t.code?new FS.ErrnoError(ERRNO_CODES[t.code]):t}},close(e){try{e.node.mount.opts.fs.close(e.nfd)}catch(r){throw r.
code?new FS.ErrnoError(ERRNO_CODES[r.code]):r}},read(e,r,t,n2,i2){try{return e.node.mount.opts.fs.read(e.nfd,r,t,n2,i2)}catch(o2){
throw o2.code?new FS.ErrnoError(ERRNO_CODES[o2.code]):o2}},write(e,r,t,n2,i2){try{return e.node.mount.opts.fs.write(e.nfd,
r,t,n2,i2)}catch(o2){throw o2.code?new FS.ErrnoError(ERRNO_CODES[o2.code]):o2}},llseek(e,r,t){var n2=r;if(t===1)n2+=e.position;else if(t===
2&&FS.isFile(e.node.mode))try{var i2=e.node.node_ops.getattr(e.node);n2+=i2.size}catch(o2){throw new FS.ErrnoError(ERRNO_CODES[o2.
code])}if(n2<0)throw new FS.ErrnoError(ERRNO_CODES.EINVAL);return n2}}},FS_createDataFile=(...e)=>FS.createDataFile(...e),
getUniqueRunDependency=e=>e,dependenciesPromise=null,resolveRunDependencies=async()=>dependenciesPromise,runDependencies=0,
dependenciesPromiseResolve=null,removeRunDependency=()=>{runDependencies--,Module.monitorRunDependencies?.(runDependencies),
runDependencies||dependenciesPromiseResolve()},addRunDependency=()=>{runDependencies||(dependenciesPromise=new Promise(e=>dependenciesPromiseResolve=
e)),runDependencies++,Module.monitorRunDependencies?.(runDependencies)},FS_handledByPreloadPlugin=async(e,r)=>{typeof Browser<
"u"&&Browser.init();for(var t of preloadPlugins)if(t.canHandle(r))return t.handle(e,r);return e},FS_preloadFile=async(e,r,t,n2,i2,o2,a3,s3)=>{
var l2=r?PATH_FS.resolve(PATH.join2(e,r)):e,u2=getUniqueRunDependency(`cp ${l2}`);addRunDependency(u2);try{var c3=t;typeof t==
"string"&&(c3=await asyncLoad(t)),c3=await FS_handledByPreloadPlugin(c3,l2),s3?.(),o2||FS_createDataFile(e,r,c3,n2,i2,a3)}finally{
removeRunDependency(u2)}},FS_createPreloadedFile=(e,r,t,n2,i2,o2,a3,s3,l2,u2)=>{FS_preloadFile(e,r,t,n2,i2,s3,l2,u2).then(
o2).catch(a3)},FS={root:null,mounts:[],devices:{},streams:[],nextInode:1,nameTable:[],currentPath:"/",initialized:false,
ignorePermissions:true,syncFSRequests:0,ErrnoError:class{constructor(e){P(this,"name","ErrnoError");this.errno=e}},FSStream:class{constructor(){
P(this,"shared",{})}get object(){return this.node}set object(e){this.node=e}get isRead(){return(this.flags&2097155)!==1}get isWrite(){
return(this.flags&2097155)!==0}get isAppend(){return this.flags&1024}get flags(){return this.shared.flags}set flags(e){this.
shared.flags=e}get position(){return this.shared.position}set position(e){this.shared.position=e}},FSNode:class{constructor(e,r,t,n2){
P(this,"node_ops",{});P(this,"stream_ops",{});P(this,"readMode",365);P(this,"writeMode",146);P(this,"mounted",null);e||(e=
this),this.parent=e,this.mount=e.mount,this.id=FS.nextInode++,this.name=r,this.mode=t,this.rdev=n2,this.atime=this.mtime=
this.ctime=Date.now()}get read(){return(this.mode&this.readMode)===this.readMode}set read(e){e?this.mode|=this.readMode:
this.mode&=~this.readMode}get write(){return(this.mode&this.writeMode)===this.writeMode}set write(e){e?this.mode|=this.writeMode:
this.mode&=~this.writeMode}get isFolder(){return FS.isDir(this.mode)}get isDevice(){return FS.isChrdev(this.mode)}addListener(e,r=false){
var t={cb:e,exclusive:r},n2=this.listeners??(this.listeners=new Set);return n2.add(t),{listeners:n2,entry:t}}notifyListeners(e){
if(this.listeners){var r;for(var t of this.listeners)t.exclusive?(r||(r=[])).push(t):t.cb(e);if(r){var n2=(this.exclTurn||
0)%r.length;this.exclTurn=n2+1,r[n2].cb(e)}}}},lookupPath(e,r={}){if(!e)throw new FS.ErrnoError(44);r.follow_mount??(r.follow_mount=
true),PATH.isAbs(e)||(e=FS.cwd()+"/"+e);e:for(var t=0;t<40;t++){for(var n2=e.split("/").filter(u2=>!!u2),i2=FS.root,o2="\
/",a3=0;a3<n2.length;a3++){var s3=a3===n2.length-1;if(s3&&r.parent)break;if(n2[a3]!=="."){if(n2[a3]===".."){if(o2=PATH.dirname(
o2),FS.isRoot(i2)){e=o2+"/"+n2.slice(a3+1).join("/"),t--;continue e}else i2=i2.parent;continue}o2=PATH.join2(o2,n2[a3]);
try{i2=FS.lookupNode(i2,n2[a3])}catch(u2){if(u2?.errno===44&&s3&&r.noent_okay)return{path:o2};throw u2}if(FS.isMountpoint(
i2)&&(!s3||r.follow_mount)&&(i2=i2.mounted.root),FS.isLink(i2.mode)&&(!s3||r.follow)){if(!i2.node_ops.readlink)throw new FS.
ErrnoError(52);var l2=i2.node_ops.readlink(i2);PATH.isAbs(l2)||(l2=PATH.dirname(o2)+"/"+l2),e=l2+"/"+n2.slice(a3+1).join(
"/");continue e}}}return{path:o2,node:i2}}throw new FS.ErrnoError(32)},getPath(e){for(var r;;){if(FS.isRoot(e)){var t=e.
mount.mountpoint;return r?t[t.length-1]!=="/"?`${t}/${r}`:t+r:t}r=r?`${e.name}/${r}`:e.name,e=e.parent}},hashName(e,r){for(var t=0,
n2=0;n2<r.length;n2++)t=(t<<5)-t+r.charCodeAt(n2)|0;return(e+t>>>0)%FS.nameTable.length},hashAddNode(e){var r=FS.hashName(
e.parent.id,e.name);e.name_next=FS.nameTable[r],FS.nameTable[r]=e},hashRemoveNode(e){var r=FS.hashName(e.parent.id,e.name);
if(FS.nameTable[r]===e)FS.nameTable[r]=e.name_next;else for(var t=FS.nameTable[r];t;){if(t.name_next===e){t.name_next=e.
name_next;break}t=t.name_next}},lookupNode(e,r){var t=FS.mayLookup(e);if(t)throw new FS.ErrnoError(t);for(var n2=FS.hashName(
e.id,r),i2=FS.nameTable[n2];i2;i2=i2.name_next){var o2=i2.name;if(i2.parent.id===e.id&&o2===r)return i2}return FS.lookup(
e,r)},createNode(e,r,t,n2){var i2=new FS.FSNode(e,r,t,n2);return FS.hashAddNode(i2),i2},destroyNode(e){FS.hashRemoveNode(
e)},isRoot(e){return e===e.parent},isMountpoint(e){return!!e.mounted},isFile(e){return(e&61440)===32768},isDir(e){return(e&
61440)===16384},isLink(e){return(e&61440)===40960},isChrdev(e){return(e&61440)===8192},isBlkdev(e){return(e&61440)===24576},
isFIFO(e){return(e&61440)===4096},isSocket(e){return(e&49152)===49152},flagsToPermissionString(e){var r=["r","w","rw"][e&
3];return e&512&&(r+="w"),r},nodePermissions(e,r){return FS.ignorePermissions?0:r.includes("r")&&!(e.mode&292)||r.includes(
"w")&&!(e.mode&146)||r.includes("x")&&!(e.mode&73)?2:0},mayLookup(e){if(!FS.isDir(e.mode))return 54;var r=FS.nodePermissions(
e,"x");return r||(e.node_ops.lookup?0:2)},mayCreate(e,r){if(!FS.isDir(e.mode))return 54;try{return FS.lookupNode(e,r),20}catch{}
return FS.nodePermissions(e,"wx")},mayDelete(e,r,t){var n2;try{n2=FS.lookupNode(e,r)}catch(o2){return o2.errno}var i2=FS.
nodePermissions(e,"wx");if(i2)return i2;if(t){if(!FS.isDir(n2.mode))return 54;if(FS.isRoot(n2)||FS.getPath(n2)===FS.cwd())
return 10}else if(FS.isDir(n2.mode))return 31;return 0},mayOpen(e,r){if(!e)return 44;if(FS.isLink(e.mode))return 32;var t=FS.
flagsToPermissionString(r);return FS.isDir(e.mode)&&(t!=="r"||r&576)?31:FS.nodePermissions(e,t)},checkOpExists(e,r){if(!e)
throw new FS.ErrnoError(r);return e},MAX_OPEN_FDS:4096,nextfd(){for(var e=0;e<=FS.MAX_OPEN_FDS;e++)if(!FS.streams[e])return e;
throw new FS.ErrnoError(33)},getStreamChecked(e){var r=FS.getStream(e);if(!r)throw new FS.ErrnoError(8);return r},getStream:e=>FS.
streams[e],createStream(e,r=-1){return e=Object.assign(new FS.FSStream,e),r==-1&&(r=FS.nextfd()),e.fd=r,FS.streams[r]=e,
e},closeStream(e){FS.streams[e]=null},dupStream(e,r=-1){var t=FS.createStream(e,r);return t.stream_ops?.dup?.(t),t},doSetAttr(e,r,t){
var n2=e?.stream_ops.setattr,i2=n2?e:r;n2??(n2=r.node_ops.setattr),FS.checkOpExists(n2,63);try{n2(i2,t)}catch(o2){throw o2 instanceof
RangeError?new FS.ErrnoError(22):o2}},chrdev_stream_ops:{open(e){var r=FS.getDevice(e.node.rdev);e.stream_ops=r.stream_ops,
e.stream_ops.open?.(e)},llseek(){throw new FS.ErrnoError(70)}},major:e=>e>>8,minor:e=>e&255,makedev:(e,r)=>e<<8|r,registerDevice(e,r){
FS.devices[e]={stream_ops:r}},getDevice:e=>FS.devices[e],getMounts(e){for(var r=[],t=[e];t.length;){var n2=t.pop();r.push(
n2),t.push(...n2.mounts)}return r},syncfs(e,r){typeof e=="function"&&(r=e,e=false),FS.syncFSRequests++,FS.syncFSRequests>
1&&err(`warning: ${FS.syncFSRequests} FS.syncfs operations in flight at once, probably just doing extra work`);var t=FS.
getMounts(FS.root.mount),n2=0;function i2(s3){return FS.syncFSRequests--,r(s3)}function o2(s3){if(s3)return o2.errored?void 0:
(o2.errored=true,i2(s3));++n2>=t.length&&i2(null)}for(var a3 of t)a3.type.syncfs?a3.type.syncfs(a3,e,o2):o2(null)},mount(e,r,t){
var n2=t==="/",i2=!t,o2;if(n2&&FS.root)throw new FS.ErrnoError(10);if(!n2&&!i2){var a3=FS.lookupPath(t,{follow_mount:false});
if(t=a3.path,o2=a3.node,FS.isMountpoint(o2))throw new FS.ErrnoError(10);if(!FS.isDir(o2.mode))throw new FS.ErrnoError(54)}
var s3={type:e,opts:r,mountpoint:t,mounts:[]},l2=e.mount(s3);return l2.mount=s3,s3.root=l2,n2?FS.root=l2:o2&&(o2.mounted=
s3,o2.mount&&o2.mount.mounts.push(s3)),l2},unmount(e){var r=FS.lookupPath(e,{follow_mount:false});if(!FS.isMountpoint(r.
node))throw new FS.ErrnoError(28);var t=r.node,n2=t.mounted,i2=FS.getMounts(n2);for(var[o2,a3]of Object.entries(FS.nameTable))
for(;a3;){var s3=a3.name_next;i2.includes(a3.mount)&&FS.destroyNode(a3),a3=s3}t.mounted=null;var l2=t.mount.mounts.indexOf(
n2);t.mount.mounts.splice(l2,1)},lookup(e,r){return e.node_ops.lookup(e,r)},mknod(e,r,t){var n2=FS.lookupPath(e,{parent:true}),
i2=n2.node,o2=PATH.basename(e);if(!o2)throw new FS.ErrnoError(28);if(o2==="."||o2==="..")throw new FS.ErrnoError(20);var a3=FS.
mayCreate(i2,o2);if(a3)throw new FS.ErrnoError(a3);if(!i2.node_ops.mknod)throw new FS.ErrnoError(63);return i2.node_ops.
mknod(i2,o2,r,t)},statfs(e){return FS.statfsNode(FS.lookupPath(e,{follow:true}).node)},statfsStream(e){return FS.statfsNode(
e.node)},statfsNode(e){var r={bsize:4096,frsize:4096,blocks:1e6,bfree:5e5,bavail:5e5,files:FS.nextInode,ffree:FS.nextInode-
1,fsid:42,flags:2,namelen:255};return e.node_ops.statfs&&Object.assign(r,e.node_ops.statfs(e.mount.opts.root)),r},create(e,r=438){
return r&=4095,r|=32768,FS.mknod(e,r,0)},mkdir(e,r=511){return r&=1023,r|=16384,FS.mknod(e,r,0)},mkdirTree(e,r=511){var t=e.
split("/"),n2="";for(var i2 of t)if(i2){(n2||PATH.isAbs(e))&&(n2+="/"),n2+=i2;try{FS.mkdir(n2,r)}catch(o2){if(o2.errno!=
20)throw o2}}},mkdev(e,r,t){return typeof t>"u"&&(t=r,r=438),r|=8192,FS.mknod(e,r,t)},symlink(e,r){if(!PATH_FS.resolve(e))
throw new FS.ErrnoError(44);var t=FS.lookupPath(r,{parent:true}),n2=t.node;if(!n2)throw new FS.ErrnoError(44);var i2=PATH.
basename(r),o2=FS.mayCreate(n2,i2);if(o2)throw new FS.ErrnoError(o2);if(!n2.node_ops.symlink)throw new FS.ErrnoError(63);
return n2.node_ops.symlink(n2,i2,e)},link(e,r,t){var n2=FS.lookupPath(r,{parent:true}),i2=n2.node;if(!i2)throw new FS.ErrnoError(
44);var o2=PATH.basename(r),a3=FS.mayCreate(i2,o2);if(a3)throw new FS.ErrnoError(a3);if(!i2.node_ops.link)throw new FS.ErrnoError(
34);return i2.node_ops.link(i2,o2,e,t)},rename(e,r){var t=PATH.dirname(e),n2=PATH.dirname(r),i2=PATH.basename(e),o2=PATH.
basename(r),a3,s3,l2;if(a3=FS.lookupPath(e,{parent:true}),s3=a3.node,a3=FS.lookupPath(r,{parent:true}),l2=a3.node,!s3||!l2)
throw new FS.ErrnoError(44);if(s3.mount!==l2.mount)throw new FS.ErrnoError(75);var u2=FS.lookupNode(s3,i2),c3=PATH_FS.relative(
e,n2);if(c3.charAt(0)!==".")throw new FS.ErrnoError(28);if(c3=PATH_FS.relative(r,t),c3.charAt(0)!==".")throw new FS.ErrnoError(
55);var _2;try{_2=FS.lookupNode(l2,o2)}catch{}if(u2!==_2){var m2=FS.isDir(u2.mode),f3=FS.mayDelete(s3,i2,m2);if(f3)throw new FS.
ErrnoError(f3);if(f3=_2?FS.mayDelete(l2,o2,m2):FS.mayCreate(l2,o2),f3)throw new FS.ErrnoError(f3);if(!s3.node_ops.rename)
throw new FS.ErrnoError(63);if(FS.isMountpoint(u2)||_2&&FS.isMountpoint(_2))throw new FS.ErrnoError(10);if(l2!==s3&&(f3=
FS.nodePermissions(s3,"w"),f3))throw new FS.ErrnoError(f3);FS.hashRemoveNode(u2);try{s3.node_ops.rename(u2,l2,o2),_2&&FS.
hashRemoveNode(_2),u2.parent=l2}catch(p3){throw p3}finally{FS.hashAddNode(u2)}}},rmdir(e){var r=FS.lookupPath(e,{parent:true}),
t=r.node,n2=PATH.basename(e),i2=FS.lookupNode(t,n2),o2=FS.mayDelete(t,n2,true);if(o2)throw new FS.ErrnoError(o2);if(!t.node_ops.
rmdir)throw new FS.ErrnoError(63);if(FS.isMountpoint(i2))throw new FS.ErrnoError(10);t.node_ops.rmdir(t,n2),FS.destroyNode(
i2)},readdir(e){var r=FS.lookupPath(e,{follow:true}),t=r.node,n2=FS.checkOpExists(t.node_ops.readdir,54);return n2(t)},unlink(e){
var r=FS.lookupPath(e,{parent:true}),t=r.node;if(!t)throw new FS.ErrnoError(44);var n2=PATH.basename(e),i2=FS.lookupNode(
t,n2),o2=FS.mayDelete(t,n2,false);if(o2)throw new FS.ErrnoError(o2);if(!t.node_ops.unlink)throw new FS.ErrnoError(63);if(FS.
isMountpoint(i2))throw new FS.ErrnoError(10);t.node_ops.unlink(t,n2),FS.destroyNode(i2)},readlink(e){var r=FS.lookupPath(
e),t=r.node;if(!t)throw new FS.ErrnoError(44);if(!t.node_ops.readlink)throw new FS.ErrnoError(28);return t.node_ops.readlink(
t)},stat(e,r=false){var t=FS.lookupPath(e,{follow:!r}),n2=t.node,i2=FS.checkOpExists(n2.node_ops.getattr,63);return i2(n2)},
fstat(e){var r=FS.getStreamChecked(e),t=r.node,n2=r.stream_ops.getattr,i2=n2?r:t;return n2??(n2=t.node_ops.getattr),FS.checkOpExists(
n2,63),n2(i2)},lstat(e){return FS.stat(e,true)},doChmod(e,r,t,n2=false){FS.doSetAttr(e,r,{mode:t&4095|r.mode&-4096,ctime:Date.
now(),dontFollow:n2})},chmod(e,r,t=false){var n2;if(typeof e=="string"){var i2=FS.lookupPath(e,{follow:!t});n2=i2.node}else
n2=e;FS.doChmod(null,n2,r,t)},lchmod(e,r){FS.chmod(e,r,true)},fchmod(e,r){var t=FS.getStreamChecked(e);FS.doChmod(t,t.node,
r,false)},doChown(e,r,t=false){FS.doSetAttr(e,r,{timestamp:Date.now(),dontFollow:t})},chown(e,r,t,n2=false){var i2;if(typeof e==
"string"){var o2=FS.lookupPath(e,{follow:!n2});i2=o2.node}else i2=e;FS.doChown(null,i2,n2)},lchown(e,r,t){FS.chown(e,r,t,
true)},fchown(e,r,t){var n2=FS.getStreamChecked(e);FS.doChown(n2,n2.node,false)},doTruncate(e,r,t){if(FS.isDir(r.mode))throw new FS.
ErrnoError(31);if(!FS.isFile(r.mode))throw new FS.ErrnoError(28);var n2=FS.nodePermissions(r,"w");if(n2)throw new FS.ErrnoError(
n2);FS.doSetAttr(e,r,{size:t,timestamp:Date.now()})},truncate(e,r){if(r<0)throw new FS.ErrnoError(28);var t;if(typeof e==
"string"){var n2=FS.lookupPath(e,{follow:true});t=n2.node}else t=e;FS.doTruncate(null,t,r)},ftruncate(e,r){var t=FS.getStreamChecked(
e);if(r<0||(t.flags&2097155)===0)throw new FS.ErrnoError(28);FS.doTruncate(t,t.node,r)},utime(e,r,t,n2=false){var i2=FS.
lookupPath(e,{follow:!n2});FS.doSetAttr(null,i2.node,{atime:r,mtime:t,dontFollow:n2})},open(e,r,t=438){if(e==="")throw new FS.
ErrnoError(44);r=FS_modeStringToFlags(r),r&64?t=t&4095|32768:t=0;var n2,i2;if(typeof e=="object")n2=e;else{i2=e.endsWith(
"/");var o2=FS.lookupPath(e,{follow:!(r&131072),noent_okay:true});n2=o2.node,e=o2.path}var a3=false;if(r&64)if(n2){if(r&
128)throw new FS.ErrnoError(20)}else{if(i2)throw new FS.ErrnoError(31);n2=FS.mknod(e,t|511,0),a3=true}if(!n2)throw new FS.
ErrnoError(44);if(FS.isChrdev(n2.mode)&&(r&=-513),r&65536&&!FS.isDir(n2.mode))throw new FS.ErrnoError(54);if(!a3){var s3=FS.
mayOpen(n2,r);if(s3)throw new FS.ErrnoError(s3)}r&512&&!a3&&FS.truncate(n2,0),r&=-131713;var l2=FS.createStream({node:n2,
path:FS.getPath(n2),flags:r,seekable:true,position:0,stream_ops:n2.stream_ops,ungotten:[],error:false});return l2.stream_ops.
open&&l2.stream_ops.open(l2),a3&&FS.chmod(n2,t&511),l2},close(e){if(FS.isClosed(e))throw new FS.ErrnoError(8);e.getdents&&
(e.getdents=null),e.node?.notifyListeners(32);try{e.stream_ops.close&&e.stream_ops.close(e)}catch(r){throw r}finally{FS.
closeStream(e.fd)}e.fd=null},isClosed(e){return e.fd===null},llseek(e,r,t){if(FS.isClosed(e))throw new FS.ErrnoError(8);
if(!e.seekable||!e.stream_ops.llseek)throw new FS.ErrnoError(70);if(t!=0&&t!=1&&t!=2)throw new FS.ErrnoError(28);return e.
position=e.stream_ops.llseek(e,r,t),e.ungotten=[],e.position},read(e,r,t,n2,i2){if(n2<0||i2<0)throw new FS.ErrnoError(28);
if(FS.isClosed(e))throw new FS.ErrnoError(8);if((e.flags&2097155)===1)throw new FS.ErrnoError(8);if(FS.isDir(e.node.mode))
throw new FS.ErrnoError(31);if(!e.stream_ops.read)throw new FS.ErrnoError(28);var o2=typeof i2<"u";if(!o2)i2=e.position;else if(!e.
seekable)throw new FS.ErrnoError(70);var a3=e.stream_ops.read(e,r,t,n2,i2);return o2||(e.position+=a3),a3},write(e,r,t,n2,i2,o2){
if(n2<0||i2<0)throw new FS.ErrnoError(28);if(FS.isClosed(e))throw new FS.ErrnoError(8);if((e.flags&2097155)===0)throw new FS.
ErrnoError(8);if(FS.isDir(e.node.mode))throw new FS.ErrnoError(31);if(!e.stream_ops.write)throw new FS.ErrnoError(28);e.
seekable&&e.flags&1024&&FS.llseek(e,0,2);var a3=typeof i2<"u";if(!a3)i2=e.position;else if(!e.seekable)throw new FS.ErrnoError(
70);var s3=e.stream_ops.write(e,r,t,n2,i2,o2);return a3||(e.position+=s3),s3},mmap(e,r,t,n2,i2){if(n2&2&&!(i2&2)&&(e.flags&
2097155)!==2)throw new FS.ErrnoError(2);if((e.flags&2097155)===1)throw new FS.ErrnoError(2);if(!e.stream_ops.mmap)throw new FS.
ErrnoError(43);if(!r)throw new FS.ErrnoError(28);return e.stream_ops.mmap(e,r,t,n2,i2)},msync(e,r,t,n2,i2){return e.stream_ops.
msync?e.stream_ops.msync(e,r,t,n2,i2):0},ioctl(e,r,t){if(!e.stream_ops.ioctl)throw new FS.ErrnoError(59);return e.stream_ops.
ioctl(e,r,t)},readFile(e,r={}){r.flags??(r.flags=0),r.encoding??(r.encoding="binary"),r.encoding!=="utf8"&&r.encoding!==
"binary"&&abort(`Invalid encoding type "${r.encoding}"`);var t=FS.open(e,r.flags),n2=FS.stat(e),i2=n2.size,o2=new Uint8Array(
i2);return FS.read(t,o2,0,i2,0),r.encoding==="utf8"&&(o2=UTF8ArrayToString(o2)),FS.close(t),o2},writeFile(e,r,t={}){t.flags??
(t.flags=577);var n2=FS.open(e,t.flags,t.mode);r=FS_fileDataToTypedArray(r),FS.write(n2,r,0,r.byteLength,void 0,t.canOwn),
FS.close(n2)},cwd:()=>FS.currentPath,chdir(e){var r=FS.lookupPath(e,{follow:true});if(r.node===null)throw new FS.ErrnoError(
44);if(!FS.isDir(r.node.mode))throw new FS.ErrnoError(54);var t=FS.nodePermissions(r.node,"x");if(t)throw new FS.ErrnoError(
t);FS.currentPath=r.path},createDefaultDirectories(){FS.mkdir("/tmp"),FS.mkdir("/home"),FS.mkdir("/home/web_user")},createDefaultDevices(){
FS.mkdir("/dev"),FS.registerDevice(FS.makedev(1,3),{read:()=>0,write:(n2,i2,o2,a3)=>a3,llseek:()=>0}),FS.mkdev("/dev/nul\
l",FS.makedev(1,3)),TTY.register(FS.makedev(5,0),TTY.default_tty_ops),TTY.register(FS.makedev(6,0),TTY.default_tty1_ops),
FS.mkdev("/dev/tty",FS.makedev(5,0)),FS.mkdev("/dev/tty1",FS.makedev(6,0));var e=new Uint8Array(1024),r=0,t=()=>(r||(randomFill(
e),r=e.byteLength),e[--r]);FS.createDevice("/dev","random",t),FS.createDevice("/dev","urandom",t),FS.mkdir("/dev/shm"),FS.
mkdir("/dev/shm/tmp")},createSpecialDirectories(){FS.mkdir("/proc");var e=FS.mkdir("/proc/self");FS.mkdir("/proc/self/fd"),
FS.mount({mount(){var r=FS.createNode(e,"fd",16895,73);return r.stream_ops={llseek:MEMFS.stream_ops.llseek},r.node_ops={
lookup(t,n2){var i2=+n2,o2=FS.getStreamChecked(i2),a3={parent:null,mount:{mountpoint:"fake"},node_ops:{readlink:()=>o2.path},
id:i2+1};return a3.parent=a3,a3},readdir(){return Array.from(FS.streams.entries()).filter(([t,n2])=>n2).map(([t,n2])=>t.
toString())}},r}},{},"/proc/self/fd")},createStandardStreams(e,r,t){e?FS.createDevice("/dev","stdin",e):FS.symlink("/dev\
/tty","/dev/stdin"),r?FS.createDevice("/dev","stdout",null,r):FS.symlink("/dev/tty","/dev/stdout"),t?FS.createDevice("/d\
ev","stderr",null,t):FS.symlink("/dev/tty1","/dev/stderr"),FS.open("/dev/stdin",0),FS.open("/dev/stdout",1),FS.open("/de\
v/stderr",1)},staticInit(){FS.nameTable.length=4096,FS.mount(MEMFS,{},"/"),FS.createDefaultDirectories(),FS.createDefaultDevices(),
FS.createSpecialDirectories()},init(e,r,t){FS.initialized=true,e??(e=Module.stdin),r??(r=Module.stdout),t??(t=Module.stderr),
FS.createStandardStreams(e,r,t)},quit(){FS.initialized=false,_fflush(0);for(var e of FS.streams)e&&FS.close(e)},analyzePath(e,r=false){
try{var t=FS.lookupPath(e,{follow:!r});e=t.path}catch{}var n2={isRoot:false,exists:false,error:0,name:null,path:null,object:null,
parentExists:false,parentPath:null,parentObject:null};try{t=FS.lookupPath(e,{parent:true}),n2.parentExists=true,n2.parentPath=
t.path,n2.parentObject=t.node,n2.name=PATH.basename(e),t=FS.lookupPath(e,{follow:!r}),n2.exists=true,n2.path=t.path,n2.object=
t.node,n2.name=t.node.name,n2.isRoot=t.path==="/"}catch(i2){n2.error=i2.errno}return n2},createPath(e,r,t,n2){e=typeof e==
"string"?e:FS.getPath(e);for(var i2=r.split("/").reverse();i2.length;){var o2=i2.pop();if(o2){var a3=PATH.join2(e,o2);try{
FS.mkdir(a3)}catch(s3){if(s3.errno!=20)throw s3}e=a3}}return a3},createFile(e,r,t,n2,i2){var o2=PATH.join2(typeof e=="st\
ring"?e:FS.getPath(e),r),a3=FS_getMode(n2,i2);return FS.create(o2,a3)},createDataFile(e,r,t,n2,i2,o2){var a3=r;e&&(e=typeof e==
"string"?e:FS.getPath(e),a3=r?PATH.join2(e,r):e);var s3=FS_getMode(n2,i2),l2=FS.create(a3,s3);if(t){t=FS_fileDataToTypedArray(
t),FS.chmod(l2,s3|146);var u2=FS.open(l2,577);FS.write(u2,t,0,t.length,0,o2),FS.close(u2),FS.chmod(l2,s3)}},createDevice(e,r,t,n2){
var s3;var i2=PATH.join2(typeof e=="string"?e:FS.getPath(e),r),o2=FS_getMode(!!t,!!n2);(s3=FS.createDevice).major??(s3.major=
64);var a3=FS.makedev(FS.createDevice.major++,0);return FS.registerDevice(a3,{open(l2){l2.seekable=false},close(l2){n2?.
buffer?.length&&n2(10)},read(l2,u2,c3,_2,m2){for(var f3=0,p3=0;p3<_2;p3++){var F2;try{F2=t()}catch{throw new FS.ErrnoError(
29)}if(F2===void 0&&!f3)throw new FS.ErrnoError(6);if(F2==null)break;f3++,u2[c3+p3]=F2}return f3&&(l2.node.atime=Date.now()),
f3},write(l2,u2,c3,_2,m2){for(var f3=0;f3<_2;f3++)try{n2(u2[c3+f3])}catch{throw new FS.ErrnoError(29)}return _2&&(l2.node.
mtime=l2.node.ctime=Date.now()),f3}}),FS.mkdev(i2,o2,a3)},forceLoadFile(e){if(e.isDevice||e.isFolder||e.link||e.contents)
return true;if(globalThis.XMLHttpRequest)abort("Lazy loading should have been performed (contents set) in createLazyFile\
, but it was not. Lazy loading only works in web workers. Use --embed-file or --preload-file in emcc on the main thread.");else
try{e.contents=readBinary(e.url)}catch{throw new FS.ErrnoError(29)}},createLazyFile(e,r,t,n2,i2){class o2{constructor(){
P(this,"lengthKnown",false);P(this,"chunks",[])}get(m2){if(!(m2>this.length-1||m2<0)){var f3=m2%this.chunkSize,p3=m2/this.
chunkSize|0;return this.getter(p3)[f3]}}setDataGetter(m2){this.getter=m2}cacheLength(){var m2=new XMLHttpRequest;m2.open(
"HEAD",t,false),m2.send(null),m2.status>=200&&m2.status<300||m2.status===304||abort(`Couldn't load ${t}. Status: ${m2.status}`);
var f3=Number(m2.getResponseHeader("Content-length")),p3,F2=(p3=m2.getResponseHeader("Accept-Ranges"))&&p3==="bytes",S2=(p3=
m2.getResponseHeader("Content-Encoding"))&&p3==="gzip",E=1048576;F2||(E=f3);var y2=(d3,g3)=>{d3>g3&&abort(`invalid range\
 (${d3}, ${g3}) or no bytes requested!`),g3>f3-1&&abort(`only ${f3} bytes available! programmer error!`);var v2=new XMLHttpRequest;
return v2.open("GET",t,false),f3!==E&&v2.setRequestHeader("Range",`bytes=${d3}-${g3}`),v2.responseType="arraybuffer",v2.
overrideMimeType&&v2.overrideMimeType("text/plain; charset=x-user-defined"),v2.send(null),v2.status>=200&&v2.status<300||
v2.status===304||abort(`Couldn't load ${t}. Status: ${v2.status}`),v2.response!==void 0?new Uint8Array(v2.response||[]):
intArrayFromString(v2.responseText??"",true)},A=this;A.setDataGetter(d3=>{var g3=d3*E,v2=(d3+1)*E-1;return v2=Math.min(v2,
f3-1),typeof A.chunks[d3]>"u"&&(A.chunks[d3]=y2(g3,v2)),typeof A.chunks[d3]>"u"&&abort("doXHR failed!"),A.chunks[d3]}),(S2||
!f3)&&(E=f3=1,f3=this.getter(0).length,E=f3,out("LazyFiles on gzip forces download of the whole file when length is acce\
ssed")),this._length=f3,this._chunkSize=E,this.lengthKnown=true}get length(){return this.lengthKnown||this.cacheLength(),
this._length}get chunkSize(){return this.lengthKnown||this.cacheLength(),this._chunkSize}}if(globalThis.XMLHttpRequest){
ENVIRONMENT_IS_WORKER||abort("Cannot do synchronous binary XHRs outside webworkers in modern browsers. Use --embed-file \
or --preload-file in emcc");var a3=new o2,s3={isDevice:false,contents:a3}}else s3={isDevice:false,url:t};var l2=FS.createFile(
e,r,s3,n2,i2);s3.contents?l2.contents=s3.contents:s3.url&&(l2.contents=null,l2.url=s3.url),Object.defineProperties(l2,{usedBytes:{
get:function(){return this.contents.length}}});var u2={};for(let[_2,m2]of Object.entries(l2.stream_ops))u2[_2]=(...f3)=>(FS.
forceLoadFile(l2),m2(...f3));function c3(_2,m2,f3,p3,F2){var S2=_2.node.contents;if(F2>=S2.length)return 0;var E=Math.min(
S2.length-F2,p3);if(S2.slice)for(var y2=0;y2<E;y2++)m2[f3+y2]=S2[F2+y2];else for(y2=0;y2<E;y2++)m2[f3+y2]=S2.get(F2+y2);
return E}return u2.read=(_2,m2,f3,p3,F2)=>(FS.forceLoadFile(l2),c3(_2,m2,f3,p3,F2)),u2.mmap=(_2,m2,f3)=>{FS.forceLoadFile(
l2);var p3=mmapAlloc(m2);if(!p3)throw new FS.ErrnoError(48);return c3(_2,HEAP8,p3,m2,f3),{ptr:p3,allocated:true}},l2.stream_ops=
u2,l2}},findLibraryFS=(e,r)=>{if(runtimeInitialized){if(PATH.isAbs(e))try{return FS.lookupPath(e),e}catch{return}var t=(r?.
paths||[]).map(n2=>replaceORIGIN(r?.parentLibPath,n2));return withStackSave(()=>{var n2=stackAlloc(512),i2=stringToUTF8OnStack(
t.join(":")),o2=stringToUTF8OnStack(e),a3=__emscripten_find_dylib(n2,i2,o2,512);return a3?UTF8ToString(a3):void 0})}};function loadDynamicLibrary(e,r={
global:true,nodelete:true},t,n2){var i2=LDSO.loadedLibsByName[e];if(i2)return r.global?i2.global||(i2.global=true,mergeLibSymbols(
i2.exports,e)):t&&Object.assign(t,i2.exports),r.nodelete&&i2.refcount!==1/0&&(i2.refcount=1/0),i2.refcount++,n2&&(LDSO.loadedLibsByHandle[n2]=
i2),r.loadAsync?Promise.resolve(true):true;i2=newDSO(e,n2,"loading"),i2.refcount=r.nodelete?1/0:1,i2.global=r.global;function o2(){
if(n2){var l2=HEAPU32[n2+28>>2],u2=HEAPU32[n2+32>>2];if(l2&&u2){var c3=HEAP8.slice(l2,l2+u2);return r.loadAsync?Promise.
resolve(c3):c3}}var _2=findLibraryFS(e,r.rpath);if(_2)return c3=FS.readFile(_2,{encoding:"binary"}),r.loadAsync?Promise.
resolve(c3):c3;var m2=locateFile(e);if(r.loadAsync)return asyncLoad(m2);if(!readBinary)throw new Error(`${m2}: file not \
found, and synchronous loading of external files is not available`);return readBinary(m2)}function a3(){var l2=preloadedWasm[e];
return l2?r.loadAsync?Promise.resolve(l2):l2:r.loadAsync?o2().then(u2=>loadWebAssemblyModule(u2,r,e,t,n2)):loadWebAssemblyModule(
o2(),r,e,t,n2)}function s3(l2){i2.global?mergeLibSymbols(l2,e):t&&Object.assign(t,l2),i2.exports=l2}return r.loadAsync?a3().
then(l2=>(s3(l2),true)):(s3(a3()),true)}var reportUndefinedSymbols=()=>{for(var[e,r]of Object.entries(GOT))if(r.value==-1){
var t=resolveGlobalSymbol(e,true).sym;if(!t&&!r.required){r.value=0;continue}if(typeof t=="function")r.value=addFunction(
t,t.sig);else if(typeof t=="number")r.value=t;else if(typeof t.value=="number")r.value=t;else throw new Error(`bad expor\
t type for '${e}': ${typeof t} (${t})`)}},loadDylibs=async()=>{if(!dynamicLibraries.length){reportUndefinedSymbols();return}
for(var e of dynamicLibraries)await loadDynamicLibrary(e,{loadAsync:true,global:true,nodelete:true,allowUndefined:true});
reportUndefinedSymbols()},noExitRuntime=false,___call_sighandler=(e,r)=>getWasmTableEntry(e)(r);___call_sighandler.sig="\
vpi";var SYSCALLS={currentUmask:18,calculateAt(e,r,t=false){if(PATH.isAbs(r))return r;var n2;if(e===-100)n2=FS.cwd();else{
var i2=SYSCALLS.getStreamFromFD(e);n2=i2.path}if(r.length==0){if(!t)throw new FS.ErrnoError(44);return n2}return n2+"/"+
r},writeStat(e,r){HEAPU32[e>>2]=r.dev,HEAPU32[e+4>>2]=r.mode,HEAPU32[e+8>>2]=r.nlink,HEAPU32[e+12>>2]=r.uid,HEAPU32[e+16>>
2]=r.gid,HEAPU32[e+20>>2]=r.rdev,HEAP64[e+24>>3]=BigInt(r.size),HEAP32[e+32>>2]=4096,HEAP32[e+36>>2]=r.blocks;var t=r.atime.
getTime(),n2=r.mtime.getTime(),i2=r.ctime.getTime();return HEAP64[e+40>>3]=BigInt(Math.floor(t/1e3)),HEAPU32[e+48>>2]=t%
1e3*1e3*1e3,HEAP64[e+56>>3]=BigInt(Math.floor(n2/1e3)),HEAPU32[e+64>>2]=n2%1e3*1e3*1e3,HEAP64[e+72>>3]=BigInt(Math.floor(
i2/1e3)),HEAPU32[e+80>>2]=i2%1e3*1e3*1e3,HEAP64[e+88>>3]=BigInt(r.ino),0},writeStatFs(e,r){HEAPU32[e+4>>2]=r.bsize,HEAPU32[e+
60>>2]=r.bsize,HEAP64[e+8>>3]=BigInt(r.blocks),HEAP64[e+16>>3]=BigInt(r.bfree),HEAP64[e+24>>3]=BigInt(r.bavail),HEAP64[e+
32>>3]=BigInt(r.files),HEAP64[e+40>>3]=BigInt(r.ffree),HEAPU32[e+48>>2]=r.fsid,HEAPU32[e+64>>2]=r.flags,HEAPU32[e+56>>2]=
r.namelen},doMsync(e,r,t,n2,i2){if(!FS.isFile(r.node.mode))throw new FS.ErrnoError(43);if(n2&2)return 0;var o2=HEAPU8.subarray(
e,e+t);FS.msync(r,o2,i2,t,n2)},getStreamFromFD(e){var r=FS.getStreamChecked(e);return r},varargs:void 0,getStr(e){var r=UTF8ToString(
e);return r}};function ___syscall_chmod(e,r){try{return e=SYSCALLS.getStr(e),FS.chmod(e,r),0}catch(t){if(typeof FS>"u"||
t.name!=="ErrnoError")throw t;return-t.errno}}___syscall_chmod.sig="ipi";function ___syscall_dup3(e,r,t){try{if(e===r||t&
-524289)return-28;var n2=SYSCALLS.getStreamFromFD(e);if(r<0||r>=FS.MAX_OPEN_FDS)return-8;var i2=FS.getStream(r);i2&&FS.close(
i2);var o2=FS.dupStream(n2,r);return t&524288&&(o2.flags|=524288),o2.fd}catch(a3){if(typeof FS>"u"||a3.name!=="ErrnoErro\
r")throw a3;return-a3.errno}}___syscall_dup3.sig="iiii";function ___syscall_faccessat(e,r,t){try{if(r=SYSCALLS.getStr(r),
r=SYSCALLS.calculateAt(e,r),t&-8)return-28;var n2=FS.lookupPath(r,{follow:true}),i2=n2.node;if(!i2)return-44;var o2="";return t&
4&&(o2+="r"),t&2&&(o2+="w"),t&1&&(o2+="x"),o2&&FS.nodePermissions(i2,o2)?-2:0}catch(a3){if(typeof FS>"u"||a3.name!=="Err\
noError")throw a3;return-a3.errno}}___syscall_faccessat.sig="iipii";var INT53_MAX=9007199254740992,INT53_MIN=-9007199254740992,
bigintToI53Checked=e=>e<INT53_MIN||e>INT53_MAX?NaN:Number(e);function ___syscall_fadvise64(e,r,t){r=bigintToI53Checked(r),
t=bigintToI53Checked(t);try{return SYSCALLS.getStreamFromFD(e).seekable?0:-70}catch(n2){if(typeof FS>"u"||n2.name!=="Err\
noError")throw n2;return-n2.errno}}___syscall_fadvise64.sig="iijji";var syscallGetVarargI=()=>{var e=HEAP32[+SYSCALLS.varargs>>
2];return SYSCALLS.varargs+=4,e},syscallGetVarargP=syscallGetVarargI;function ___syscall_fcntl64(e,r,t){SYSCALLS.varargs=
t;try{var n2=SYSCALLS.getStreamFromFD(e);switch(r){case 0:var i2=syscallGetVarargI();if(i2<0)return-28;for(;FS.streams[i2];)
i2++;var o2;return o2=FS.dupStream(n2,i2),o2.fd;case 1:case 2:return 0;case 3:return n2.flags;case 4:return i2=syscallGetVarargI(),
n2.flags=n2.flags&-289793|i2&289792,0;case 12:return i2=syscallGetVarargP(),HEAP16[i2+0>>1]=2,0;case 13:case 14:return 0}
return-28}catch(a3){if(typeof FS>"u"||a3.name!=="ErrnoError")throw a3;return-a3.errno}}___syscall_fcntl64.sig="iiip";function ___syscall_fstat64(e,r){
try{return SYSCALLS.writeStat(r,FS.fstat(e))}catch(t){if(typeof FS>"u"||t.name!=="ErrnoError")throw t;return-t.errno}}___syscall_fstat64.
sig="iip";function ___syscall_getcwd(e,r){try{if(!r)return-28;var t=FS.cwd(),n2=lengthBytesUTF8(t)+1;return r<n2?-68:(stringToUTF8(
t,e,r),n2)}catch(i2){if(typeof FS>"u"||i2.name!=="ErrnoError")throw i2;return-i2.errno}}___syscall_getcwd.sig="ipp";function ___syscall_getdents64(e,r,t){
try{var n2=SYSCALLS.getStreamFromFD(e);n2.getdents||(n2.getdents=FS.readdir(n2.path));for(var i2=0,o2=FS.llseek(n2,0,1),
a3=Math.floor(o2/280),s3=Math.min(n2.getdents.length,a3+Math.floor(t/280)),l2=a3;l2<s3;l2++){var u2,c3,_2=n2.getdents[l2];
if(_2===".")u2=n2.node.id,c3=4;else if(_2===".."){var m2=FS.lookupPath(n2.path,{parent:true});u2=m2.node.id,c3=4}else{var f3;
try{f3=FS.lookupNode(n2.node,_2)}catch(p3){if(p3?.errno===28)continue;throw p3}u2=f3.id,c3=FS.isChrdev(f3.mode)?2:FS.isDir(
f3.mode)?4:FS.isLink(f3.mode)?10:8}HEAP64[r+i2>>3]=BigInt(u2),HEAP64[r+i2+8>>3]=BigInt((l2+1)*280),HEAP16[r+i2+16>>1]=280,
HEAP8[r+i2+18]=c3,stringToUTF8(_2,r+i2+19,256),i2+=280}return FS.llseek(n2,l2*280,0),i2}catch(p3){if(typeof FS>"u"||p3.name!==
"ErrnoError")throw p3;return-p3.errno}}___syscall_getdents64.sig="iipp";function ___syscall_ioctl(e,r,t){SYSCALLS.varargs=
t;try{var n2=SYSCALLS.getStreamFromFD(e);switch(r){case 21509:return n2.tty?0:-59;case 21505:if(!n2.tty)return-59;if(n2.
tty.ops.ioctl_tcgets){var i2=n2.tty.ops.ioctl_tcgets(n2),o2=syscallGetVarargP();HEAP32[o2>>2]=i2.c_iflag||0,HEAP32[o2+4>>
2]=i2.c_oflag||0,HEAP32[o2+8>>2]=i2.c_cflag||0,HEAP32[o2+12>>2]=i2.c_lflag||0;for(var a3=0;a3<32;a3++)HEAP8[o2+a3+17]=i2.
c_cc[a3]||0;return 0}return 0;case 21510:case 21511:case 21512:return n2.tty?0:-59;case 21506:case 21507:case 21508:if(!n2.
tty)return-59;if(n2.tty.ops.ioctl_tcsets){o2=syscallGetVarargP();var s3=HEAP32[o2>>2],l2=HEAP32[o2+4>>2],u2=HEAP32[o2+8>>
2],c3=HEAP32[o2+12>>2],_2=[];for(a3=0;a3<32;a3++)_2.push(HEAP8[o2+a3+17]);return n2.tty.ops.ioctl_tcsets(n2.tty,r,{c_iflag:s3,
c_oflag:l2,c_cflag:u2,c_lflag:c3,c_cc:_2})}return 0;case 21519:return n2.tty?(o2=syscallGetVarargP(),HEAP32[o2>>2]=0,0):
-59;case 21520:return n2.tty?-28:-59;case 21537:case 21531:return o2=syscallGetVarargP(),FS.ioctl(n2,r,o2);case 21523:if(!n2.
tty)return-59;if(n2.tty.ops.ioctl_tiocgwinsz){var m2=n2.tty.ops.ioctl_tiocgwinsz(n2.tty);o2=syscallGetVarargP(),HEAP16[o2>>
1]=m2[0],HEAP16[o2+2>>1]=m2[1]}return 0;case 21524:return n2.tty?0:-59;case 21515:return n2.tty?0:-59;default:return-28}}catch(f3){
if(typeof FS>"u"||f3.name!=="ErrnoError")throw f3;return-f3.errno}}___syscall_ioctl.sig="iiip";function ___syscall_lstat64(e,r){
try{return e=SYSCALLS.getStr(e),SYSCALLS.writeStat(r,FS.lstat(e))}catch(t){if(typeof FS>"u"||t.name!=="ErrnoError")throw t;
return-t.errno}}___syscall_lstat64.sig="ipp";function ___syscall_mkdirat(e,r,t){try{return r=SYSCALLS.getStr(r),r=SYSCALLS.
calculateAt(e,r),t&=~SYSCALLS.currentUmask,FS.mkdir(r,t),0}catch(n2){if(typeof FS>"u"||n2.name!=="ErrnoError")throw n2;return-n2.
errno}}___syscall_mkdirat.sig="iipi";function ___syscall_newfstatat(e,r,t,n2){try{r=SYSCALLS.getStr(r);var i2=n2&256,o2=n2&
4096;return n2&=-6401,r=SYSCALLS.calculateAt(e,r,o2),SYSCALLS.writeStat(t,i2?FS.lstat(r):FS.stat(r))}catch(a3){if(typeof FS>
"u"||a3.name!=="ErrnoError")throw a3;return-a3.errno}}___syscall_newfstatat.sig="iippi";function ___syscall_openat(e,r,t,n2){
SYSCALLS.varargs=n2;try{r=SYSCALLS.getStr(r),r=SYSCALLS.calculateAt(e,r);var i2=n2?syscallGetVarargI():0;return t&64&&(i2&=
~SYSCALLS.currentUmask),FS.open(r,t,i2).fd}catch(o2){if(typeof FS>"u"||o2.name!=="ErrnoError")throw o2;return-o2.errno}}
___syscall_openat.sig="iipip";function ___syscall_readlinkat(e,r,t,n2){try{if(r=SYSCALLS.getStr(r),r=SYSCALLS.calculateAt(
e,r),n2<=0)return-28;var i2=FS.readlink(r),o2=Math.min(n2,lengthBytesUTF8(i2)),a3=HEAP8[t+o2];return stringToUTF8(i2,t,n2+
1),HEAP8[t+o2]=a3,o2}catch(s3){if(typeof FS>"u"||s3.name!=="ErrnoError")throw s3;return-s3.errno}}___syscall_readlinkat.
sig="iippp";function ___syscall_rmdir(e){try{return e=SYSCALLS.getStr(e),FS.rmdir(e),0}catch(r){if(typeof FS>"u"||r.name!==
"ErrnoError")throw r;return-r.errno}}___syscall_rmdir.sig="ip";function ___syscall_stat64(e,r){try{return e=SYSCALLS.getStr(
e),SYSCALLS.writeStat(r,FS.stat(e))}catch(t){if(typeof FS>"u"||t.name!=="ErrnoError")throw t;return-t.errno}}___syscall_stat64.
sig="ipp";function ___syscall_symlinkat(e,r,t){try{return e=SYSCALLS.getStr(e),t=SYSCALLS.getStr(t),t=SYSCALLS.calculateAt(
r,t),FS.symlink(e,t),0}catch(n2){if(typeof FS>"u"||n2.name!=="ErrnoError")throw n2;return-n2.errno}}___syscall_symlinkat.
sig="ipip";function ___syscall_umask(e){try{var r=SYSCALLS.currentUmask;return SYSCALLS.currentUmask=e,r}catch(t){if(typeof FS>
"u"||t.name!=="ErrnoError")throw t;return-t.errno}}___syscall_umask.sig="ii";function ___syscall_unlinkat(e,r,t){try{if(r=
SYSCALLS.getStr(r),r=SYSCALLS.calculateAt(e,r),!t)FS.unlink(r);else if(t===512)FS.rmdir(r);else return-28;return 0}catch(n2){
if(typeof FS>"u"||n2.name!=="ErrnoError")throw n2;return-n2.errno}}___syscall_unlinkat.sig="iipi";var __abort_js=()=>abort(
"");__abort_js.sig="v";var runtimeKeepaliveCounter=0,__emscripten_runtime_keepalive_clear=()=>{noExitRuntime=false,runtimeKeepaliveCounter=
0};__emscripten_runtime_keepalive_clear.sig="v";var __emscripten_throw_longjmp=()=>{throw new EmscriptenSjLj};__emscripten_throw_longjmp.
sig="v";var isLeapYear=e=>e%4===0&&(e%100!==0||e%400===0),MONTH_DAYS_LEAP_CUMULATIVE=[0,31,60,91,121,152,182,213,244,274,
305,335],MONTH_DAYS_REGULAR_CUMULATIVE=[0,31,59,90,120,151,181,212,243,273,304,334],ydayFromDate=e=>{var r=isLeapYear(e.
getFullYear()),t=r?MONTH_DAYS_LEAP_CUMULATIVE:MONTH_DAYS_REGULAR_CUMULATIVE,n2=t[e.getMonth()]+e.getDate()-1;return n2};
function __localtime_js(e,r){e=bigintToI53Checked(e);var t=new Date(e*1e3);if(isNaN(t.getTime()))return 1;HEAP32[r>>2]=t.
getSeconds(),HEAP32[r+4>>2]=t.getMinutes(),HEAP32[r+8>>2]=t.getHours(),HEAP32[r+12>>2]=t.getDate(),HEAP32[r+16>>2]=t.getMonth(),
HEAP32[r+20>>2]=t.getFullYear()-1900,HEAP32[r+24>>2]=t.getDay();var n2=ydayFromDate(t)|0;HEAP32[r+28>>2]=n2,HEAP32[r+36>>
2]=-t.getTimezoneOffset()*60;var i2=new Date(t.getFullYear(),0,1),o2=new Date(t.getFullYear(),6,1).getTimezoneOffset(),a3=i2.
getTimezoneOffset(),s3=(o2!=a3&&t.getTimezoneOffset()==Math.min(a3,o2))|0;return HEAP32[r+32>>2]=s3,0}__localtime_js.sig=
"ijp";var __mktime_js=function(e){var r=(()=>{var t=new Date(HEAP32[e+20>>2]+1900,HEAP32[e+16>>2],HEAP32[e+12>>2],HEAP32[e+
8>>2],HEAP32[e+4>>2],HEAP32[e>>2],0);if(isNaN(t.getTime()))return-1;var n2=HEAP32[e+32>>2],i2=t.getTimezoneOffset(),o2=new Date(
t.getFullYear(),0,1),a3=new Date(t.getFullYear(),6,1).getTimezoneOffset(),s3=o2.getTimezoneOffset(),l2=Math.min(s3,a3);if(n2<
0)n2=+(a3!=s3&&l2==i2);else if(n2>0!=(l2==i2)){var u2=Math.max(s3,a3),c3=n2>0?l2:u2;if(t.setTime(t.getTime()+6e4*(c3-i2)),
isNaN(t.getTime()))return-1}HEAP32[e+32>>2]=n2,HEAP32[e+24>>2]=t.getDay();var _2=ydayFromDate(t)|0;return HEAP32[e+28>>2]=
_2,HEAP32[e>>2]=t.getSeconds(),HEAP32[e+4>>2]=t.getMinutes(),HEAP32[e+8>>2]=t.getHours(),HEAP32[e+12>>2]=t.getDate(),HEAP32[e+
16>>2]=t.getMonth(),HEAP32[e+20>>2]=t.getYear(),t.getTime()/1e3})();return BigInt(r)};__mktime_js.sig="jp";function __mmap_js(e,r,t,n2,i2,o2,a3){
i2=bigintToI53Checked(i2);try{var s3=SYSCALLS.getStreamFromFD(n2),l2=FS.mmap(s3,e,i2,r,t),u2=l2.ptr;return HEAP32[o2>>2]=
l2.allocated,HEAPU32[a3>>2]=u2,0}catch(c3){if(typeof FS>"u"||c3.name!=="ErrnoError")throw c3;return-c3.errno}}__mmap_js.
sig="ipiiijpp";function __munmap_js(e,r,t,n2,i2,o2){o2=bigintToI53Checked(o2);try{var a3=SYSCALLS.getStreamFromFD(i2);t&
2&&SYSCALLS.doMsync(e,a3,r,n2,o2)}catch(s3){if(typeof FS>"u"||s3.name!=="ErrnoError")throw s3;return-s3.errno}}__munmap_js.
sig="ippiiij";var timers={},clearTimers=()=>{for(var e of Object.values(timers))clearTimeout(e.id)},handleException=e=>{
if(e instanceof ExitStatus||e=="unwind")return EXITSTATUS;quit_(1,e)},keepRuntimeAlive=()=>noExitRuntime||runtimeKeepaliveCounter>
0,_proc_exit=e=>{EXITSTATUS=e,keepRuntimeAlive()||(Module.onExit?.(e),ABORT=true),quit_(e,new ExitStatus(e))};_proc_exit.
sig="vi";var exitJS=e=>{EXITSTATUS=e,keepRuntimeAlive()||exitRuntime(),_proc_exit(e)},_exit=exitJS;_exit.sig="vi";var maybeExit=()=>{
if(!runtimeExited&&!keepRuntimeAlive())try{_exit(EXITSTATUS)}catch(e){handleException(e)}},callUserCallback=(e,...r)=>{if(!(runtimeExited||
ABORT))try{return e(...r)}catch(t){handleException(t)}finally{maybeExit()}},_emscripten_get_now=()=>performance.now();_emscripten_get_now.
sig="d";var __setitimer_js=(e,r)=>{if(timers[e]&&(clearTimeout(timers[e].id),delete timers[e]),!r)return 0;var t=setTimeout(
()=>{delete timers[e],callUserCallback(__emscripten_timeout,e,_emscripten_get_now())},r);return timers[e]={id:t,timeout_ms:r},
0};__setitimer_js.sig="iid";var __tzset_js=(e,r,t,n2)=>{var i2=new Date().getFullYear(),o2=new Date(i2,0,1),a3=new Date(
i2,6,1),s3=o2.getTimezoneOffset(),l2=a3.getTimezoneOffset(),u2=Math.max(s3,l2);HEAPU32[e>>2]=u2*60,HEAP32[r>>2]=+(s3!=l2);
var c3=f3=>{var p3=f3>=0?"-":"+",F2=Math.abs(f3),S2=String(Math.floor(F2/60)).padStart(2,"0"),E=String(F2%60).padStart(2,
"0");return`UTC${p3}${S2}${E}`},_2=c3(s3),m2=c3(l2);l2<s3?(stringToUTF8(_2,t,17),stringToUTF8(m2,n2,17)):(stringToUTF8(_2,
n2,17),stringToUTF8(m2,t,17))};__tzset_js.sig="vpppp";var _emscripten_date_now=()=>Date.now();_emscripten_date_now.sig="\
d";var getHeapMax=()=>2147483648,growMemory=e=>{var r=wasmMemory.buffer.byteLength,t=(e-r+65535)/65536|0;try{return wasmMemory.
grow(t),updateMemoryViews(),1}catch{}},_emscripten_resize_heap=e=>{var r=HEAPU8.length;e>>>=0;var t=getHeapMax();if(e>t)
return false;for(var n2=1;n2<=4;n2*=2){var i2=r*(1+.2/n2);i2=Math.min(i2,e+100663296);var o2=Math.min(t,alignMemory(Math.
max(e,i2),65536)),a3=growMemory(o2);if(a3)return true}return false};_emscripten_resize_heap.sig="ip";var ENV={},getExecutableName=()=>thisProgram,
getEnvStrings=()=>{if(!getEnvStrings.strings){var e=(globalThis.navigator?.language??"C").replace("-","_")+".UTF-8",r={USER:"\
web_user",LOGNAME:"web_user",PATH:"/",PWD:"/",HOME:"/home/web_user",LANG:e,_:getExecutableName()};for(var t in ENV)ENV[t]===
void 0?delete r[t]:r[t]=ENV[t];var n2=[];for(var t in r)n2.push(`${t}=${r[t]}`);getEnvStrings.strings=n2}return getEnvStrings.
strings},_environ_get=(e,r)=>{var t=0,n2=0;for(var i2 of getEnvStrings()){var o2=r+t;HEAPU32[e+n2>>2]=o2,t+=stringToUTF8(
i2,o2,1/0)+1,n2+=4}return 0};_environ_get.sig="ipp";var _environ_sizes_get=(e,r)=>{var t=getEnvStrings();HEAPU32[e>>2]=t.
length;var n2=0;for(var i2 of t)n2+=lengthBytesUTF8(i2)+1;return HEAPU32[r>>2]=n2,0};_environ_sizes_get.sig="ipp";function _fd_close(e){
try{var r=SYSCALLS.getStreamFromFD(e);return FS.close(r),0}catch(t){if(typeof FS>"u"||t.name!=="ErrnoError")throw t;return t.
errno}}_fd_close.sig="ii";function _fd_fdstat_get(e,r){try{var t=SYSCALLS.getStreamFromFD(e),n2=t.tty?2:FS.isDir(t.mode)?
3:FS.isLink(t.mode)?7:4;return HEAP8[r]=n2,HEAP16[r+2>>1]=0,HEAP64[r+8>>3]=BigInt(0),HEAP64[r+16>>3]=BigInt(0),0}catch(i2){
if(typeof FS>"u"||i2.name!=="ErrnoError")throw i2;return i2.errno}}_fd_fdstat_get.sig="iip";var doReadv=(e,r,t,n2)=>{for(var i2=0,
o2=0;o2<t;o2++){var a3=HEAPU32[r>>2],s3=HEAPU32[r+4>>2];r+=8;try{var l2=FS.read(e,HEAP8,a3,s3,n2)}catch(u2){if(i2>0&&u2 instanceof
FS.ErrnoError&&(u2.errno==6||u2.errno==6))break;throw u2}if(l2<0)return-1;if(i2+=l2,l2<s3)break;typeof n2<"u"&&(n2+=l2)}
return i2};function _fd_read(e,r,t,n2){try{var i2=SYSCALLS.getStreamFromFD(e),o2=doReadv(i2,r,t);return HEAPU32[n2>>2]=o2,
0}catch(a3){if(typeof FS>"u"||a3.name!=="ErrnoError")throw a3;return a3.errno}}_fd_read.sig="iippp";function _fd_seek(e,r,t,n2){
r=bigintToI53Checked(r);try{if(isNaN(r))return 22;var i2=SYSCALLS.getStreamFromFD(e);return FS.llseek(i2,r,t),HEAP64[n2>>
3]=BigInt(i2.position),i2.getdents&&!r&&t===0&&(i2.getdents=null),0}catch(o2){if(typeof FS>"u"||o2.name!=="ErrnoError")throw o2;
return o2.errno}}_fd_seek.sig="iijip";function _fd_sync(e){try{var r=SYSCALLS.getStreamFromFD(e),t=r.stream_ops?.fsync?.(
r);return t}catch(n2){if(typeof FS>"u"||n2.name!=="ErrnoError")throw n2;return n2.errno}}_fd_sync.sig="ii";var doWritev=(e,r,t,n2)=>{
if(t==1)return FS.write(e,HEAP8,HEAPU32[r>>2],HEAPU32[r+4>>2],n2);for(var i2=0,o2=0,a3=r;o2<t;o2++,a3+=8)i2+=HEAPU32[a3+
4>>2];var s3=new Uint8Array(i2),l2=0;for(o2=0;o2<t;o2++,r+=8){var u2=HEAPU32[r>>2],c3=HEAPU32[r+4>>2];s3.set(HEAPU8.subarray(
u2,u2+c3),l2),l2+=c3}return FS.write(e,s3,0,i2,n2)};function _fd_write(e,r,t,n2){try{var i2=SYSCALLS.getStreamFromFD(e),
o2=doWritev(i2,r,t);return HEAPU32[n2>>2]=o2,0}catch(a3){if(typeof FS>"u"||a3.name!=="ErrnoError")throw a3;return a3.errno}}
_fd_write.sig="iippp";var inetPton4=e=>{for(var r=e.split("."),t=0;t<4;t++){var n2=Number(r[t]);if(isNaN(n2))return null;
r[t]=n2}return(r[0]|r[1]<<8|r[2]<<16|r[3]<<24)>>>0},inetNtop4=e=>(e&255)+"."+(e>>8&255)+"."+(e>>16&255)+"."+(e>>24&255),
inetPton6=e=>{var r,t,n2,i2,o2=[];if(!/^((?=.*::)(?!.*::.+::)(::)?([\dA-F]{1,4}:(:|\b)|){5}|([\dA-F]{1,4}:){6})((([\dA-F]{1,4}((?!\3)::|:\b|$))|(?!\2\3)){2}|(((2[0-4]|1\d|[1-9])?\d|25[0-5])\.?\b){4})$/i.
test(e))return null;if(e==="::")return[0,0,0,0,0,0,0,0];for(e.startsWith("::")?e=e.replace("::","Z:"):e=e.replace("::","\
:Z:"),e.indexOf(".")>0?(e=e.replace(new RegExp("[.]","g"),":"),r=e.split(":"),r[r.length-4]=Number(r[r.length-4])+Number(
r[r.length-3])*256,r[r.length-3]=Number(r[r.length-2])+Number(r[r.length-1])*256,r=r.slice(0,r.length-2)):r=e.split(":"),
n2=0,i2=0,t=0;t<r.length;t++)if(typeof r[t]=="string")if(r[t]==="Z"){for(i2=0;i2<8-r.length+1;i2++)o2[t+i2]=0;n2=i2-1}else
o2[t+n2]=_htons(parseInt(r[t],16));else o2[t+n2]=r[t];return[o2[1]<<16|o2[0],o2[3]<<16|o2[2],o2[5]<<16|o2[4],o2[7]<<16|o2[6]]},
inetNtop6=e=>{var r="",t=0,n2=0,i2=0,o2=0,a3=0,s3=0,l2=[e[0]&65535,e[0]>>16,e[1]&65535,e[1]>>16,e[2]&65535,e[2]>>16,e[3]&
65535,e[3]>>16],u2=true,c3="";for(s3=0;s3<5;s3++)if(l2[s3]){u2=false;break}if(u2){if(c3=inetNtop4(l2[6]|l2[7]<<16),l2[5]===
-1)return r="::ffff:",r+=c3,r;if(!l2[5])return r="::",c3==="0.0.0.0"&&(c3=""),c3==="0.0.0.1"&&(c3="1"),r+=c3,r}for(t=0;t<
8;t++)l2[t]||(t-i2>1&&(a3=0),i2=t,a3++),a3>n2&&(n2=a3,o2=t-n2+1);for(t=0;t<8;t++){if(n2>1&&!l2[t]&&t>=o2&&t<o2+n2){t===o2&&
(r+=":",o2||(r+=":"));continue}r+=Number(_ntohs(l2[t]&65535)).toString(16),r+=t<7?":":""}return r},DNS={address_map:{id:1,
addrs:{},names:{}},lookup_name(e){var r=inetPton4(e);if(r!==null||(r=inetPton6(e),r!==null))return e;var t;if(DNS.address_map.
addrs[e])t=DNS.address_map.addrs[e];else{var n2=DNS.address_map.id++;t="172.29."+(n2&255)+"."+(n2&65280),DNS.address_map.
names[t]=e,DNS.address_map.addrs[e]=t}return t},lookup_addr(e){return DNS.address_map.names[e]?DNS.address_map.names[e]:
null}},writeSockaddr=(e,r,t,n2,i2)=>{switch(r){case 2:t=inetPton4(DNS.lookup_name(t)),zeroMemory(e,16),i2&&(HEAP32[i2>>2]=
16),HEAP16[e>>1]=r,HEAP32[e+4>>2]=t,HEAP16[e+2>>1]=_htons(n2);break;case 10:t=inetPton6(DNS.lookup_name(t)),zeroMemory(e,
28),i2&&(HEAP32[i2>>2]=28),HEAP32[e>>2]=r,HEAP32[e+8>>2]=t[0],HEAP32[e+12>>2]=t[1],HEAP32[e+16>>2]=t[2],HEAP32[e+20>>2]=
t[3],HEAP16[e+2>>1]=_htons(n2);break;default:return 5}return 0},_getaddrinfo=(e,r,t,n2)=>{var i2=0,o2=0,a3=0,s3=0,l2=0,u2=0,
c3;function _2(m2,f3,p3,F2,S2,E){var y2,A,d3;return A=m2===10?28:16,S2=m2===10?inetNtop6(S2):inetNtop4(S2),y2=_malloc(A),
writeSockaddr(y2,m2,S2,E),d3=_malloc(32),HEAP32[d3+4>>2]=m2,HEAP32[d3+8>>2]=f3,HEAP32[d3+12>>2]=p3,HEAPU32[d3+24>>2]=F2,
HEAPU32[d3+20>>2]=y2,m2===10?HEAP32[d3+16>>2]=28:HEAP32[d3+16>>2]=16,HEAP32[d3+28>>2]=0,d3}if(t&&(a3=HEAP32[t>>2],s3=HEAP32[t+
4>>2],l2=HEAP32[t+8>>2],u2=HEAP32[t+12>>2]),l2&&!u2&&(u2=l2===2?17:6),!l2&&u2&&(l2=u2===17?2:1),u2||(u2=6),l2||(l2=1),!e&&
!r)return-2;if(a3&-1088||t&&HEAP32[t>>2]&2&&!e)return-1;if(a3&32)return-2;if(l2&&l2!==1&&l2!==2)return-7;if(s3!==0&&s3!==
2&&s3!==10)return-6;if(r&&(r=UTF8ToString(r),o2=parseInt(r,10),isNaN(o2)))return a3&1024?-2:-8;if(!e)return s3===0&&(s3=
2),a3&1||(s3===2?i2=_htonl(2130706433):i2=[0,0,0,_htonl(1)]),c3=_2(s3,l2,u2,null,i2,o2),HEAPU32[n2>>2]=c3,0;if(e=UTF8ToString(
e),i2=inetPton4(e),i2!==null)if(s3===0||s3===2)s3=2;else if(s3===10&&a3&8)i2=[0,0,_htonl(65535),i2],s3=10;else return-2;else if(i2=
inetPton6(e),i2!==null)if(s3===0||s3===10)s3=10;else return-2;return i2!=null?(c3=_2(s3,l2,u2,e,i2,o2),HEAPU32[n2>>2]=c3,
0):a3&4?-2:(e=DNS.lookup_name(e),i2=inetPton4(e),s3===0?s3=2:s3===10&&(i2=[0,0,_htonl(65535),i2]),c3=_2(s3,l2,u2,null,i2,
o2),HEAPU32[n2>>2]=c3,0)};_getaddrinfo.sig="ipppp";var removeFunction=e=>{functionsInTableMap.delete(getWasmTableEntry(e)),
setWasmTableEntry(e,null),freeTableIndexes.push(e)},stringToNewUTF8=e=>{var r=lengthBytesUTF8(e)+1,t=_malloc(r);return t&&
stringToUTF8(e,t,r),t},FS_createPath=(...e)=>FS.createPath(...e),FS_unlink=(...e)=>FS.unlink(...e),FS_createLazyFile=(...e)=>FS.
createLazyFile(...e),FS_createDevice=(...e)=>FS.createDevice(...e);registerWasmPlugin(),FS.createPreloadedFile=FS_createPreloadedFile,
FS.preloadFile=FS_preloadFile,FS.staticInit(),Module.noExitRuntime&&(noExitRuntime=Module.noExitRuntime),Module.print&&(out=
Module.print),Module.printErr&&(err=Module.printErr),Module.dynamicLibraries&&(dynamicLibraries=Module.dynamicLibraries),
Module.arguments&&(programArgs=Module.arguments),Module.thisProgram&&(thisProgram=Module.thisProgram);var preInit=Module.
preInit;if(preInit)for(typeof preInit=="function"&&(Module.preInit=preInit=[preInit]);preInit.length>0;)preInit.shift()();
Module.callMain=callMain,Module.stackSave=stackSave,Module.stackRestore=stackRestore,Module.ENV=ENV,Module.addRunDependency=
addRunDependency,Module.removeRunDependency=removeRunDependency,Module.addFunction=addFunction,Module.removeFunction=removeFunction,
Module.UTF8ToString=UTF8ToString,Module.stringToNewUTF8=stringToNewUTF8,Module.stringToUTF8OnStack=stringToUTF8OnStack,Module.
FS_preloadFile=FS_preloadFile,Module.FS_unlink=FS_unlink,Module.FS_createPath=FS_createPath,Module.FS_createDevice=FS_createDevice,
Module.FS=FS,Module.FS_createDataFile=FS_createDataFile,Module.FS_createLazyFile=FS_createLazyFile,Module.MEMFS=MEMFS,Module.
PROXYFS=PROXYFS;var ASM_CONSTS={},_pgl_exit,___errno_location,_fflush,_fopen,_fclose,_pgl_popen,_fputs,_main,_pgl_atexit,
_pgl_geteuid,_pgl_system,_malloc,_calloc,_pgl_setsockopt,_pgl_connect,_pgl_send,_pgl_recv,_fgets,_pgl_getsockopt,_pgl_getsockname,
_pgl_poll,_clear_setitimer,_pgl_longjmp,_pgl_siglongjmp,_pgl_set_system_fn,_pgl_set_popen_fn,_pgl_set_pclose_fn,_pgl_pclose,
_pclose,_pgl_getuid,_pgl_getpwuid,_pgl_run_atexit_funcs,_pgl_freopen,_pgl_shmget,_pgl_shmat,_pgl_shmdt,_pgl_shmctl,_pgl_munmap,
_pgl_set_rw_cbs,_pgl_fcntl,___funcs_on_exit,___dl_seterr,__emscripten_find_dylib,_htonl,_htons,_emscripten_builtin_memalign,
_ntohs,__emscripten_timeout,_strerror,_emscripten_get_sbrk_ptr,_setThrew,__emscripten_stack_restore,__emscripten_stack_alloc,
_emscripten_stack_get_current,memory,___stack_pointer,__indirect_function_table,___heap_base,wasmTable,wasmMemory;function assignWasmExports(e){
_pgl_exit=Module._pgl_exit=e.pgl_exit,___errno_location=Module.___errno_location=e.__errno_location,_fflush=Module._fflush=
e.fflush,_fopen=Module._fopen=e.fopen,_fclose=Module._fclose=e.fclose,_pgl_popen=Module._pgl_popen=e.pgl_popen,_fputs=Module.
_fputs=e.fputs,_main=Module._main=e.__main_argc_argv,_pgl_atexit=Module._pgl_atexit=e.pgl_atexit,_pgl_geteuid=Module._pgl_geteuid=
e.pgl_geteuid,_pgl_system=Module._pgl_system=e.pgl_system,_malloc=e.malloc,_calloc=e.calloc,_pgl_setsockopt=Module._pgl_setsockopt=
e.pgl_setsockopt,_pgl_connect=Module._pgl_connect=e.pgl_connect,_pgl_send=Module._pgl_send=e.pgl_send,_pgl_recv=Module._pgl_recv=
e.pgl_recv,_fgets=Module._fgets=e.fgets,_pgl_getsockopt=Module._pgl_getsockopt=e.pgl_getsockopt,_pgl_getsockname=Module.
_pgl_getsockname=e.pgl_getsockname,_pgl_poll=Module._pgl_poll=e.pgl_poll,_clear_setitimer=Module._clear_setitimer=e.clear_setitimer,
_pgl_longjmp=Module._pgl_longjmp=e.pgl_longjmp,_pgl_siglongjmp=Module._pgl_siglongjmp=e.pgl_siglongjmp,_pgl_set_system_fn=
Module._pgl_set_system_fn=e.pgl_set_system_fn,_pgl_set_popen_fn=Module._pgl_set_popen_fn=e.pgl_set_popen_fn,_pgl_set_pclose_fn=
Module._pgl_set_pclose_fn=e.pgl_set_pclose_fn,_pgl_pclose=Module._pgl_pclose=e.pgl_pclose,_pclose=Module._pclose=e.pclose,
_pgl_getuid=Module._pgl_getuid=e.pgl_getuid,_pgl_getpwuid=Module._pgl_getpwuid=e.pgl_getpwuid,_pgl_run_atexit_funcs=Module.
_pgl_run_atexit_funcs=e.pgl_run_atexit_funcs,_pgl_freopen=Module._pgl_freopen=e.pgl_freopen,_pgl_shmget=Module._pgl_shmget=
e.pgl_shmget,_pgl_shmat=Module._pgl_shmat=e.pgl_shmat,_pgl_shmdt=Module._pgl_shmdt=e.pgl_shmdt,_pgl_shmctl=Module._pgl_shmctl=
e.pgl_shmctl,_pgl_munmap=Module._pgl_munmap=e.pgl_munmap,_pgl_set_rw_cbs=Module._pgl_set_rw_cbs=e.pgl_set_rw_cbs,_pgl_fcntl=
Module._pgl_fcntl=e.pgl_fcntl,___funcs_on_exit=e.__funcs_on_exit,___dl_seterr=e.__dl_seterr,__emscripten_find_dylib=e._emscripten_find_dylib,
_htonl=e.htonl,_htons=e.htons,_emscripten_builtin_memalign=e.emscripten_builtin_memalign,_ntohs=e.ntohs,__emscripten_timeout=
e._emscripten_timeout,_strerror=Module._strerror=e.strerror,_emscripten_get_sbrk_ptr=e.emscripten_get_sbrk_ptr,_setThrew=
e.setThrew,__emscripten_stack_restore=e._emscripten_stack_restore,__emscripten_stack_alloc=e._emscripten_stack_alloc,_emscripten_stack_get_current=
e.emscripten_stack_get_current,memory=wasmMemory=e.memory,___stack_pointer=e.__stack_pointer,__indirect_function_table=wasmTable=
e.__indirect_function_table,___heap_base=e.__heap_base.value}var wasmImports={__call_sighandler:___call_sighandler,__syscall_chmod:___syscall_chmod,
__syscall_dup3:___syscall_dup3,__syscall_faccessat:___syscall_faccessat,__syscall_fadvise64:___syscall_fadvise64,__syscall_fcntl64:___syscall_fcntl64,
__syscall_fstat64:___syscall_fstat64,__syscall_getcwd:___syscall_getcwd,__syscall_getdents64:___syscall_getdents64,__syscall_ioctl:___syscall_ioctl,
__syscall_lstat64:___syscall_lstat64,__syscall_mkdirat:___syscall_mkdirat,__syscall_newfstatat:___syscall_newfstatat,__syscall_openat:___syscall_openat,
__syscall_readlinkat:___syscall_readlinkat,__syscall_rmdir:___syscall_rmdir,__syscall_stat64:___syscall_stat64,__syscall_symlinkat:___syscall_symlinkat,
__syscall_umask:___syscall_umask,__syscall_unlinkat:___syscall_unlinkat,_abort_js:__abort_js,_emscripten_runtime_keepalive_clear:__emscripten_runtime_keepalive_clear,
_emscripten_throw_longjmp:__emscripten_throw_longjmp,_localtime_js:__localtime_js,_mktime_js:__mktime_js,_mmap_js:__mmap_js,
_munmap_js:__munmap_js,_setitimer_js:__setitimer_js,_tzset_js:__tzset_js,emscripten_date_now:_emscripten_date_now,emscripten_get_now:_emscripten_get_now,
emscripten_resize_heap:_emscripten_resize_heap,environ_get:_environ_get,environ_sizes_get:_environ_sizes_get,exit:_exit,
fd_close:_fd_close,fd_fdstat_get:_fd_fdstat_get,fd_read:_fd_read,fd_seek:_fd_seek,fd_sync:_fd_sync,fd_write:_fd_write,getaddrinfo:_getaddrinfo,
invoke_ii,invoke_iiii,invoke_vii,proc_exit:_proc_exit};function invoke_iiii(e,r,t,n2){var i2=stackSave();try{return getWasmTableEntry(
e)(r,t,n2)}catch(o2){if(stackRestore(i2),!(o2 instanceof EmscriptenEH))throw o2;_setThrew(1,0)}}function invoke_ii(e,r){
var t=stackSave();try{return getWasmTableEntry(e)(r)}catch(n2){if(stackRestore(t),!(n2 instanceof EmscriptenEH))throw n2;
_setThrew(1,0)}}function invoke_vii(e,r,t){var n2=stackSave();try{getWasmTableEntry(e)(r,t)}catch(i2){if(stackRestore(n2),
!(i2 instanceof EmscriptenEH))throw i2;_setThrew(1,0)}}function callMain(e=[]){var r=resolveGlobalSymbol("main").sym;if(r){
e.unshift(thisProgram);var t=e.length,n2=stackAlloc((t+1)*4),i2=n2;for(var o2 of e)HEAPU32[i2>>2]=stringToUTF8OnStack(o2),
i2+=4;HEAPU32[i2>>2]=0;try{var a3=r(t,n2);return exitJS(a3,true),a3}catch(s3){return handleException(s3)}}}async function run(e=programArgs){
preRun(),runDependencies&&await resolveRunDependencies();var r=Module.setStatus;if(r&&(r("Running..."),await new Promise(
n2=>setTimeout(n2,1)),setTimeout(r,1,"")),!ABORT){initRuntime(),Module.onRuntimeInitialized?.();var t=Module.noInitialRun||
true;t||callMain(e),postRun()}}var wasmExports;return wasmExports=await createWasm(),await run(),quit_=(e,r)=>{throw r},
Module}var Pe=br;var ke=Pe;u();var Re="(?:"+["\\|\\|","\\&\\&",";;","\\|\\&","\\<\\(","\\<\\<\\<",">>",">\\&","<\\&","[&\
;()|<>]"].join("|")+")";var Me=new RegExp("^"+Re+"$");var Oe="|&;()<> \\t";var Tr='"((\\\\"|[^"])*?)"';var Pr="'((\\\\'|[^\
'])*?)'";var kr=/^#$/;var De="'";var Ne='"';var oe="$";var C="";var Mr=4294967296;for(let e=0;e<4;e++)C+=(Mr*Math.random()).
toString(16);var Or=new RegExp("^"+C);function Dr(e,r){let t=r.lastIndex,n2=[],i2;for(;i2=r.exec(e);)n2.push(i2),r.lastIndex===
i2.index&&(r.lastIndex+=1);return r.lastIndex=t,n2}function Nr(e,r,t){let n2=typeof e=="function"?e(t):e[t];return typeof n2>
"u"&&t!==""?n2="":typeof n2>"u"&&(n2="$"),typeof n2=="object"?r+C+JSON.stringify(n2)+C:r+n2}function Rr(e,r,t){t||(t={});
let n2=t.escape||"\\",i2="(\\"+n2+`['"`+Oe+`]|[^\\s'"`+Oe+"])+",o2=new RegExp(["("+Re+")","("+i2+"|"+Tr+"|"+Pr+")+"].join(
"|"),"g"),a3=Dr(e,o2);if(a3.length===0)return[];r||(r={});let s3=false;return a3.map(function(l2){let u2=l2[0];if(!u2||s3)
return;if(Me.test(u2))return{op:u2};let c3=false,_2=false,m2="",f3=false,p3;function F2(){p3+=1;let S2,E,y2=u2.charAt(p3);
if(y2==="{"){if(p3+=1,u2.charAt(p3)==="}")throw new Error("Bad substitution: "+u2.slice(p3-2,p3+1));if(S2=u2.indexOf("}",
p3),S2<0)throw new Error("Bad substitution: "+u2.slice(p3));E=u2.slice(p3,S2),p3=S2}else if(/[*@#?$!_-]/.test(y2))E=y2,p3+=
1;else{let A=u2.slice(p3),d3=A.match(/[^\w\d_]/);d3?(E=A.slice(0,d3.index),p3+=d3.index-1):(E=A,p3=u2.length)}return Nr(
r,"",E)}for(p3=0;p3<u2.length;p3++){let S2=u2.charAt(p3);if(f3=f3||!c3&&(S2==="*"||S2==="?"),_2)m2+=S2,_2=false;else if(c3)
S2===c3?c3=false:c3===De?m2+=S2:S2===n2?(p3+=1,S2=u2.charAt(p3),S2===Ne||S2===n2||S2===oe?m2+=S2:m2+=n2+S2):S2===oe?m2+=
F2():m2+=S2;else if(S2===Ne||S2===De)c3=S2;else{if(Me.test(S2))return{op:u2};if(kr.test(S2)){s3=true;let E={comment:e.slice(
l2.index+p3+1)};return m2.length?[m2,E]:[E]}else S2===n2?_2=true:S2===oe?m2+=F2():m2+=S2}}return f3?{op:"glob",pattern:m2}:
m2}).reduce(function(l2,u2){return typeof u2>"u"?l2:l2.concat(u2)},[])}function ae(e,r,t){let n2=Rr(e,r,t);return typeof r!=
"function"?n2:n2.reduce(function(i2,o2){if(typeof o2=="object")return i2.concat(o2);let a3=o2.split(RegExp("("+C+".*?"+C+
")","g"));return a3.length===1?i2.concat(a3[0]):i2.concat(a3.filter(Boolean).map(function(s3){return Or.test(s3)?JSON.parse(
s3.split(C)[1]):s3}))},[])}function Ur(e,r){if(!e)throw new Error(r??"Assertion failed")}var U2="/pglite";var I=U2+"/dat\
a";var Hr=U2+"/icu";var Lr=U2+"/bin/initdb";var pt=U2+"/bin/postgres";var Ue=U2+"/pgstdout";var He=U2+"/pgstdin";function B(e,...r){
e&&e>0&&console.log("initdb: ",...r)}async function Cr({pg:e,debug:r,args:t,wasmModule:n2}){let i2,o2,a3,s3=false,l2=[],
u2=0,c3=-1,_2=-1,m2="",f3="",p3=d3=>{let g3=d3.shift();B(r,"initdb: firstArg",g3),Ur(g3==="/pglite/bin/postgres",`trying\
 to execute ${g3}`),e.Module.HEAPU8.set(F2),B(r,"executing pg main with",d3);let v2=e.callMain(d3);return B(r,v2),l2=[],
v2},F2=e.Module.HEAPU8.slice(),S2=new WebAssembly.Memory({initial:8,maximum:100}),y2=await ke({arguments:t,noExitRuntime:false,
wasmMemory:S2,thisProgram:Lr,stdin:()=>null,print:d3=>{f3+=d3,B(r,"initdbout",d3)},printErr:d3=>{m2+=d3,B(r,"initdberr",
d3)},instantiateWasm:(d3,g3)=>(p2.instantiateWasm(d3,n2??(()=>new URL("./initdb.wasm",import.meta.url))).then(({instance:v2,
module:N})=>{g3(v2,N)}),{}),locateFile:(d3,g3)=>d3.endsWith(".so")?"/pglite/lib/"+d3:g3+d3,preRun:[d3=>{d3.ENV.PGDATA=I,
d3.ENV.HOME="/home/postgres",d3.ENV.USER="postgres",d3.ENV.LOGNAME="postgres",d3.ENV.ICU_DATA=Hr,d3.ENV.TZ="UTC"},d3=>{d3.
FS.mkdirTree(U2),d3.FS.mount(d3.PROXYFS,{root:U2,fs:e.Module.FS},U2)},d3=>{d3.onRuntimeInitialized=()=>{i2=d3.addFunction(
g3=>(l2=Le(d3.UTF8ToString(g3)),p3(l2)),"pi"),d3._pgl_set_system_fn(i2),o2=d3.addFunction((g3,v2)=>{let N=d3.UTF8ToString(
v2);if(l2=Le(d3.UTF8ToString(g3)),N==="r")return u2=p3(l2),c3;if(N==="w")return s3=true,_2;throw`Unexpected popen mode v\
alue ${N}`},"ppi"),d3._pgl_set_popen_fn(o2),a3=d3.addFunction(g3=>g3===c3||g3===_2?(s3&&(s3=false,u2=p3(l2)),u2):d3._pclose(
g3),"pi"),d3._pgl_set_pclose_fn(a3);{let g3=e.Module.stringToUTF8OnStack(He),v2=e.Module.stringToUTF8OnStack("r");e.Module.
_pgl_freopen(g3,v2,0);let N=e.Module.stringToUTF8OnStack(Ue),K=e.Module.stringToUTF8OnStack("w");e.Module._pgl_freopen(N,
K,1)}{let g3=d3.stringToUTF8OnStack(Ue),v2=d3.stringToUTF8OnStack("r");c3=d3._fopen(g3,v2);let N=d3.stringToUTF8OnStack(
He),K=d3.stringToUTF8OnStack("w");_2=d3._fopen(N,K)}}}]});return B(r,"calling initdb.main with",t),{exitCode:y2.callMain(
t),stderr:m2,stdout:f3,dataFolder:I}}function Le(e){let r=[],t=ae(e);for(let n2=0;n2<t.length;n2++){let i2=t[n2];if(typeof i2==
"object"&&"op"in i2)break;typeof i2=="string"&&r.push(i2)}return r}async function St({pg:e,debug:r,args:t,wasmModule:n2}){
return await Cr({pg:e,debug:r,args:["--allow-group-access","--encoding","UTF8","--locale=C.UTF-8","--locale-provider=lib\
c","--auth=trust",...t??[]],wasmModule:n2})}var Ce=class{constructor(r){this.dataDir=r}async init(r,t){return this.pg=r,
{emscriptenOpts:t}}async syncToFs(r){}async initialSyncFs(){}async closeFs(){}async dumpTar(r,t){return ie(this.pg.Module.
FS,I,r,t)}};var Ie=class{constructor(r,{debug:t=false}={}){this.dataDir=r,this.debug=t}async syncToFs(r){}async initialSyncFs(){}async closeFs(){}async dumpTar(r,t){
return ie(this.pg.Module.FS,I,r,t)}async init(r,t){return this.pg=r,{emscriptenOpts:{...t,preRun:[...t.preRun||[],i2=>{let o2=Ir(
i2,this);i2.FS.mkdirTree(I),i2.FS.mount(o2,{},I)}]}}}};var xe={EBADF:8,EBADFD:127,EEXIST:20,EINVAL:28,EISDIR:31,ENODEV:43,
ENOENT:44,ENOTDIR:54,ENOTEMPTY:55};var Ir=(e,r)=>{let t=e.FS,n2=r.debug?console.log:null,i2={tryFSOperation(o2){try{return o2()}catch(a3){
throw a3.code?a3.code==="UNKNOWN"?new t.ErrnoError(xe.EINVAL):new t.ErrnoError(a3.code):a3}},mount(o2){return i2.createNode(
null,"/",16895,0)},syncfs(o2,a3,s3){},createNode(o2,a3,s3,l2){if(!t.isDir(s3)&&!t.isFile(s3))throw new t.ErrnoError(28);
let u2=t.createNode(o2,a3,s3);return u2.node_ops=i2.node_ops,u2.stream_ops=i2.stream_ops,u2},getMode:function(o2){return n2?.(
"getMode",o2),i2.tryFSOperation(()=>r.lstat(o2).mode)},realPath:function(o2){let a3=[];for(;o2.parent!==o2;)a3.push(o2.name),
o2=o2.parent;return a3.push(o2.mount.opts.root),a3.reverse(),a3.join("/")},node_ops:{getattr(o2){n2?.("getattr",i2.realPath(
o2));let a3=i2.realPath(o2);return i2.tryFSOperation(()=>{let s3=r.lstat(a3);return{...s3,dev:0,ino:o2.id,nlink:1,rdev:o2.
rdev,atime:new Date(s3.atime),mtime:new Date(s3.mtime),ctime:new Date(s3.ctime)}})},setattr(o2,a3){n2?.("setattr",i2.realPath(
o2),a3);let s3=i2.realPath(o2);i2.tryFSOperation(()=>{if(a3.mode!==void 0&&r.chmod(s3,a3.mode),a3.size!==void 0&&r.truncate(
s3,a3.size),a3.timestamp!==void 0&&r.utimes(s3,a3.timestamp,a3.timestamp),a3.atime||a3.mtime){let l2=new Date(a3.atime||
a3.mtime).getTime(),u2=new Date(a3.mtime||a3.atime).getTime();r.utimes(s3,l2,u2)}a3.size!==void 0&&r.truncate(s3,a3.size)})},
lookup(o2,a3){n2?.("lookup",i2.realPath(o2),a3);let s3=[i2.realPath(o2),a3].join("/"),l2=i2.getMode(s3);return i2.createNode(
o2,a3,l2)},mknod(o2,a3,s3,l2){n2?.("mknod",i2.realPath(o2),a3,s3,l2);let u2=i2.createNode(o2,a3,s3,l2),c3=i2.realPath(u2);
return i2.tryFSOperation(()=>(t.isDir(u2.mode)?r.mkdir(c3,{mode:s3}):r.writeFile(c3,"",{mode:s3}),u2))},rename(o2,a3,s3){
n2?.("rename",i2.realPath(o2),i2.realPath(a3),s3);let l2=i2.realPath(o2),u2=[i2.realPath(a3),s3].join("/");i2.tryFSOperation(
()=>{r.rename(l2,u2)}),o2.name=s3},unlink(o2,a3){n2?.("unlink",i2.realPath(o2),a3);let s3=[i2.realPath(o2),a3].join("/");
try{r.unlink(s3)}catch{}},rmdir(o2,a3){n2?.("rmdir",i2.realPath(o2),a3);let s3=[i2.realPath(o2),a3].join("/");return i2.
tryFSOperation(()=>{r.rmdir(s3)})},readdir(o2){n2?.("readdir",i2.realPath(o2));let a3=i2.realPath(o2);return i2.tryFSOperation(
()=>r.readdir(a3))},symlink(o2,a3,s3){throw n2?.("symlink",i2.realPath(o2),a3,s3),new t.ErrnoError(63)},readlink(o2){throw n2?.(
"readlink",i2.realPath(o2)),new t.ErrnoError(63)}},stream_ops:{open(o2){n2?.("open stream",i2.realPath(o2.node));let a3=i2.
realPath(o2.node);return i2.tryFSOperation(()=>{t.isFile(o2.node.mode)&&(o2.shared.refcount=1,o2.nfd=r.open(a3))})},close(o2){
return n2?.("close stream",i2.realPath(o2.node)),i2.tryFSOperation(()=>{t.isFile(o2.node.mode)&&o2.nfd&&--o2.shared.refcount===
0&&r.close(o2.nfd)})},dup(o2){n2?.("dup stream",i2.realPath(o2.node)),o2.shared.refcount++},read(o2,a3,s3,l2,u2){return n2?.(
"read stream",i2.realPath(o2.node),s3,l2,u2),l2===0?0:i2.tryFSOperation(()=>r.read(o2.nfd,a3,s3,l2,u2))},write(o2,a3,s3,l2,u2){
return n2?.("write stream",i2.realPath(o2.node),s3,l2,u2),i2.tryFSOperation(()=>r.write(o2.nfd,a3.buffer,s3,l2,u2))},llseek(o2,a3,s3){
n2?.("llseek stream",i2.realPath(o2.node),a3,s3);let l2=a3;if(s3===1?l2+=o2.position:s3===2&&t.isFile(o2.node.mode)&&i2.
tryFSOperation(()=>{let u2=r.fstat(o2.nfd);l2+=u2.size}),l2<0)throw new t.ErrnoError(28);return l2},mmap(o2,a3,s3,l2,u2){
if(n2?.("mmap stream",i2.realPath(o2.node),a3,s3,l2,u2),!t.isFile(o2.node.mode))throw new t.ErrnoError(xe.ENODEV);let c3=e.
mmapAlloc(a3);return i2.stream_ops.read(o2,e.HEAPU8,c3,a3,s3),{ptr:c3,allocated:true}},msync(o2,a3,s3,l2,u2){return n2?.(
"msync stream",i2.realPath(o2.node),s3,l2,u2),i2.stream_ops.write(o2,a3,0,l2,s3),0}}};return i2};export{F,L,P,h,R,x,T,U,u,p2 as p,be,Jr,U2,I,Hr,Lr,pt,St,Ce,Ie,xe};
