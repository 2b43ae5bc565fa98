import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{Ce,I,R,T,h,u,x}from"./chunk-WI3PHZFH.js";import"./chunk-MEAQO6XE.js";u();var K=1024;var A;var F;var g;var m;var y;var E;var v;var n;var J;var H;var j;var z;var B;var U;var x2;var D;var q;var I2;
var L;var C;var w;var T2;var $=class extends Ce{constructor(e,{debug:t=false}={}){super();R(this,n);R(this,A);R(this,F);
R(this,g,true);R(this,m,[]);R(this,y,new Map);R(this,E,Promise.resolve());R(this,v,false);this.backend=e,this.debug=t}async init(e,t){
return this.pg=e,await this.backend.init(),{emscriptenOpts:{...t,preRun:[...t.preRun||[],s=>{s.FS.mkdirTree(I),s.FS.mount(
T(this,n,J).call(this,s),{},I)}]}}}async initialSyncFs(){let e=this.pg.Module.FS;x(this,g,false);try{for await(let t of this.
backend.load()){let r=I+t.path;t.kind==="dir"?e.mkdir(r,448):(e.writeFile(r,t.data,{mode:384,canOwn:true}),t.mtime!==void 0&&
e.utime(r,t.mtime,t.mtime))}}finally{x(this,g,true)}}async syncToFs(e=false){let t=h(this,E).then(()=>T(this,n,q).call(this,
e));x(this,E,t.catch(()=>{})),await t}async closeFs(){await this.syncToFs(),await this.backend.close(),this.pg.Module.FS.
quit()}};A=new WeakMap,F=new WeakMap,g=new WeakMap,m=new WeakMap,y=new WeakMap,E=new WeakMap,v=new WeakMap,n=new WeakSet,
J=function(e){let t=e.MEMFS;return{mount:r=>{let s=t.mount(r);return h(this,F)??x(this,F,T(this,n,H).call(this,e,t.ops_table)),
T(this,n,j).call(this,e,s),x(this,A,s),s},syncfs:(r,s,u2)=>{u2(null)}}},H=function(e,t){let r=e.FS,s=t.dir.node,u2=t.file.
node,l=t.file.stream,M=(i,h2)=>{u2.setattr(i,h2),h2.size!==void 0&&r.isFile(i.mode)&&T(this,n,U).call(this,i)};return{dir:{
node:{...s,setattr:M,mknod:(i,h2,d2,c)=>{let f=s.mknod(i,h2,d2,c);return T(this,n,j).call(this,e,f),T(this,n,D).call(this,
e,f),f},rename:(i,h2,d2)=>{let c=T(this,n,w).call(this,e,i);s.rename(i,h2,d2),T(this,n,x2).call(this,c),T(this,n,D).call(
this,e,i)},unlink:(i,h2)=>{s.unlink(i,h2),T(this,n,x2).call(this,T(this,n,T2).call(this,T(this,n,w).call(this,e,i),h2))},
rmdir:(i,h2)=>{s.rmdir(i,h2),T(this,n,x2).call(this,T(this,n,T2).call(this,T(this,n,w).call(this,e,i),h2))},symlink:(i,h2,d2)=>(h(
this,g)&&!h(this,v)&&(x(this,v,true),console.warn("MEMFS frontend: symlinks are not persisted")),s.symlink(i,h2,d2))},stream:t.
dir.stream},file:{node:{...u2,setattr:M},stream:{...l,write:(i,h2,d2,c,f,k2)=>{let _=l.write(i,h2,d2,c,f,k2);return T(this,
n,B).call(this,i.node,f,f+_),_},msync:(i,h2,d2,c,f)=>{let k2=l.msync(i,h2,d2,c,f);return T(this,n,B).call(this,i.node,d2,
d2+c),k2},allocate:(i,h2,d2)=>{l.allocate(i,h2,d2),T(this,n,U).call(this,i.node)}}}}},j=function(e,t){let r=e.FS;r.isDir(
t.mode)?(t.node_ops=h(this,F).dir.node,t.stream_ops=h(this,F).dir.stream):r.isFile(t.mode)&&(t.node_ops=h(this,F).file.node,
t.stream_ops=h(this,F).file.stream)},z=function(e){let t=h(this,y).get(e);return t||(t={full:false,resized:false,ranges:[]},
h(this,y).set(e,t)),t},B=function(e,t,r){if(!h(this,g)||r<=t)return;let s=T(this,n,z).call(this,e);if(s.full)return;let u2=s.
ranges,l=u2[u2.length-1];l&&t<=l[1]&&r>=l[0]?(l[0]=Math.min(l[0],t),l[1]=Math.max(l[1],r)):(u2.push([t,r]),u2.length>K&&
(s.ranges=R2(u2)))},U=function(e){h(this,g)&&(T(this,n,z).call(this,e).resized=true)},x2=function(e){h(this,g)&&h(this,m).
push({op:"remove",path:e})},D=function(e,t){if(!h(this,g))return;let r=e.FS;if(r.isDir(t.mode)){h(this,m).push({op:"mkdi\
r",node:t});for(let s of Object.values(t.contents))T(this,n,D).call(this,e,s)}else if(r.isFile(t.mode)){let s=T(this,n,z).
call(this,t);s.full=true,s.ranges=[]}},q=async function(e){if(h(this,m).length===0&&h(this,y).size===0)return;let t=T(this,
n,I2).call(this);try{await this.backend.apply(t.changes,{relaxedDurability:e})}catch(r){throw T(this,n,L).call(this,t),r}
if(this.debug){let{ops:r,files:s}=t.changes,u2=s.wal.length+s.data.length+s.control.length;console.log(`MEMFS frontend: \
flushed ${r.length} ops, ${u2} files`)}},I2=function(){let e=this.pg.Module,t=e.FS,r=[];for(let l of h(this,m))l.op==="r\
emove"?r.push(l):t.isDir(l.node.mode)&&T(this,n,C).call(this,l.node)&&r.push({op:"mkdir",path:T(this,n,w).call(this,e,l.
node)});let s={wal:[],data:[],control:[]};for(let[l,M]of h(this,y)){if(!t.isFile(l.mode)||!T(this,n,C).call(this,l))continue;
let i=l.usedBytes,h2=M.full?[[0,i]]:R2(M.ranges),d2=[];for(let[k2,_]of h2){let W2=Math.min(_,i);k2>=W2||d2.push({at:k2,data:Q(
l.contents,k2,W2)})}let c=T(this,n,w).call(this,e,l);(c.startsWith("/pg_wal/")?s.wal:c==="/global/pg_control"?s.control:
s.data).push({path:c,size:i,full:M.full,truncate:M.full||M.resized,chunks:d2})}let u2={changes:{ops:r,files:s},journal:h(
this,m),dirty:h(this,y)};return x(this,m,[]),x(this,y,new Map),u2},L=function(e){x(this,m,[...e.journal,...h(this,m)]);for(let[
t,r]of e.dirty){let s=h(this,y).get(t);s?(s.full||(s.full=r.full),s.resized||(s.resized=r.resized),s.ranges=s.full?[]:R2(
[...r.ranges,...s.ranges])):h(this,y).set(t,r)}},C=function(e){for(;e.parent!==e;){if(e.parent.contents?.[e.name]!==e)return false;
e=e.parent}return e===h(this,A)},w=function(e,t){return e.FS.getPath(t).slice(I.length)},T2=function(e,t){return`${e}/${t}`};
function R2(S){let N2=[...S].sort((t,r)=>t[0]-r[0]),e=[];for(let[t,r]of N2){let s=e[e.length-1];s&&t<=s[1]?s[1]=Math.max(
s[1],r):e.push([t,r])}return e}function Q(S,N2,e){return S?new Uint8Array(S.subarray?S.subarray(N2,e):S.slice(N2,e)):new Uint8Array(
e-N2)}u();var B2=2;var N=/^\/pg_wal\/[0-9A-F]{24}$/;var m2;var y2;var d;var P;var w2;var x3;var p=class{constructor(t,{maxConcurrentWrites:r=16}={}){
R(this,d);R(this,m2);R(this,y2,new Map);this.dataDir=t,this.maxConcurrentWrites=r}async init(){x(this,m2,await T(this,d,
x3).call(this,this.dataDir,{from:await navigator.storage.getDirectory(),create:true}))}load(){return E2(h(this,m2),"")}async apply(t,{
relaxedDurability:r}){let e=new Map,s=a=>{let i=a.join("/"),c=e.get(i);if(!c){let o=a.length?s(a.slice(0,-1)).then(z2=>z2.
getDirectoryHandle(a[a.length-1],{create:true})):Promise.resolve(h(this,m2));e.set(i,o),o.catch(()=>e.delete(i)),c=o}return c};
for(let a of t.ops){let i=g2(a.path);if(a.op==="mkdir"){await s(i);continue}T(this,d,w2).call(this,a.path);let c=i.join(
"/");for(let o of[...e.keys()])(o===c||o.startsWith(c+"/"))&&e.delete(o);try{await(await s(i.slice(0,-1))).removeEntry(i[i.
length-1],{recursive:true})}catch(o){if(o?.name!=="NotFoundError")throw o}}let u2=async a=>{let i=g2(a);return(await s(i.
slice(0,-1))).getFileHandle(i[i.length-1],{create:true})},S=async a=>{await b(await u2(a.path),a,r)},v2=async a=>{if(!N.
test(a.path))return S(a);let i=h(this,y2).get(a.path);if(!i){let c=await u2(a.path);if(!("createSyncAccessHandle"in c))return b(
c,a,r);i=await c.createSyncAccessHandle()}h(this,y2).delete(a.path),h(this,y2).set(a.path,i);try{C2(i,a,r)}catch(c){throw T(
this,d,w2).call(this,a.path),c}},{wal:M,data:O,control:_}=t.files;await k(M,this.maxConcurrentWrites,v2),T(this,d,P).call(
this);for(let a of[O,_])await k(a,this.maxConcurrentWrites,S)}async close(){T(this,d,w2).call(this)}};m2=new WeakMap,y2=
new WeakMap,d=new WeakSet,P=function(){for(let[t,r]of h(this,y2)){if(h(this,y2).size<=B2)break;h(this,y2).delete(t),W(r)}},
w2=function(t){for(let[r,e]of h(this,y2))t&&r!==t&&!r.startsWith(t+"/")||(h(this,y2).delete(r),W(e))},x3=async function(t,r){
let e=r.from;for(let s of g2(t))e=await e.getDirectoryHandle(s,{create:r.create});return e};var D2=class extends ${constructor(t,r={}){
super(new p(t,r),{debug:r.debug}),this.dataDir=t}};async function*E2(n2,t){for await(let[r,e]of n2.entries()){let s=`${t}\
/${r}`;if(e.kind==="directory")yield{kind:"dir",path:s},yield*E2(e,s);else{let u2=await e.getFile();yield{kind:"file",path:s,
data:new Uint8Array(await u2.arrayBuffer()),mtime:u2.lastModified}}}}function g2(n2){return n2.split("/").filter(Boolean)}
async function b(n2,t,r){if("createSyncAccessHandle"in n2){let e=await n2.createSyncAccessHandle();try{C2(e,t,r)}finally{
e.close()}}else{let e=await n2.createWritable({keepExistingData:!t.full});try{t.truncate&&!t.full&&await e.truncate(t.size);
for(let s of t.chunks)await e.write({type:"write",position:s.at,data:s.data});await e.close()}catch(s){throw await e.abort().
catch(()=>{}),s}}}function C2(n2,t,r){t.truncate&&n2.truncate(t.size);for(let e of t.chunks)n2.write(e.data,{at:e.at});r||
n2.flush()}function W(n2){try{n2.close()}catch{}}async function k(n2,t,r){let e=0,s=async()=>{for(;e<n2.length;)await r(
n2[e++])};await Promise.all(Array.from({length:Math.min(t,n2.length)},s))}export{D2 as Memfs2OpfsFS,p as OpfsBackend};
