import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{Ie,R,T,U,h,u,x,xe}from"./chunk-WI3PHZFH.js";import"./chunk-MEAQO6XE.js";u();var U2="state.txt";var $="data";var M={DIR:16384,FILE:32768};var I;var k;var N;var H;var y;var f;var x2;var F;var P;
var S;var r;var L;var D;var E;var w;var m;var A;var C;var T2;var z=class extends Ie{constructor(e,{initialPoolSize:t=1e3,
maintainedPoolSize:s=100,debug:i=false}={}){super(e,{debug:i});R(this,r);R(this,I);R(this,k);R(this,N);R(this,H);R(this,
y);R(this,f,new Map);R(this,x2,0);R(this,F,new Map);R(this,P,new Map);this.lastCheckpoint=0;this.checkpointInterval=1e3*
60;this.poolCounter=0;R(this,S,new Set);this.initialPoolSize=t,this.maintainedPoolSize=s}async init(e,t){return await T(
this,r,L).call(this),super.init(e,t)}async syncToFs(e=false){await this.maybeCheckpointState(),await this.maintainPool(),
e||this.flush()}async closeFs(){for(let e of h(this,f).values())e.sh.close();h(this,y).flush(),h(this,y).close(),this.pg.
Module.FS.quit()}async maintainPool(e){e=e||this.maintainedPoolSize;let t=e-this.state.pool.length,s=[];for(let i=0;i<t;i++)
s.push(new Promise(async a=>{++this.poolCounter;let c=`${(Date.now()-1704063600).toString(16).padStart(8,"0")}-${this.poolCounter.
toString(16).padStart(8,"0")}`,h2=await h(this,N).getFileHandle(c,{create:true}),p=await h2.createSyncAccessHandle();h(this,
f).set(c,{fh:h2,sh:p}),T(this,r,E).call(this,{opp:"createPoolFile",args:[c]}),this.state.pool.push(c),a()}));for(let i=0;i>
t;i--)s.push(new Promise(async a=>{let c=this.state.pool.pop();T(this,r,E).call(this,{opp:"deletePoolFile",args:[c]});let h2=h(
this,f).get(c);h2?.sh?.close(),await h(this,N).removeEntry(h2.fh.name),h(this,f).delete(c),a()}));await Promise.all(s)}_createPoolFileState(e){
this.state.pool.push(e)}_deletePoolFileState(e){let t=this.state.pool.indexOf(e);t>-1&&this.state.pool.splice(t,1)}async maybeCheckpointState(){
Date.now()-this.lastCheckpoint>this.checkpointInterval&&await this.checkpointState()}async checkpointState(){let e=new TextEncoder().
encode(JSON.stringify(this.state));h(this,y).truncate(0),h(this,y).write(e,{at:0}),h(this,y).flush(),this.lastCheckpoint=
Date.now()}flush(){for(let e of h(this,S))try{e.flush()}catch{}h(this,S).clear()}chmod(e,t){T(this,r,D).call(this,{opp:"\
chmod",args:[e,t]},()=>{this._chmodState(e,t)})}_chmodState(e,t){let s=T(this,r,m).call(this,e);s.mode=t}close(e){let t=T(
this,r,A).call(this,e);h(this,F).delete(e),h(this,P).delete(t)}fstat(e){let t=T(this,r,A).call(this,e);return this.lstat(
t)}lstat(e){let t=T(this,r,m).call(this,e),s=t.type==="file"?h(this,f).get(t.backingFilename).sh.getSize():0,i=4096;return{
dev:0,ino:0,mode:t.mode,nlink:1,uid:0,gid:0,rdev:0,size:s,blksize:i,blocks:Math.ceil(s/i),atime:t.lastModified,mtime:t.lastModified,
ctime:t.lastModified}}mkdir(e,t){T(this,r,D).call(this,{opp:"mkdir",args:[e,t]},()=>{this._mkdirState(e,t)})}_mkdirState(e,t){
let s=T(this,r,w).call(this,e),i=s.pop(),a=[],c=this.state.root;for(let p of s){if(a.push(e),!Object.prototype.hasOwnProperty.
call(c.children,p))if(t?.recursive)this.mkdir(a.join("/"));else throw new d("ENOENT","No such file or directory");if(c.children[p].
type!=="directory")throw new d("ENOTDIR","Not a directory");c=c.children[p]}if(Object.prototype.hasOwnProperty.call(c.children,
i))throw new d("EEXIST","File exists");let h2={type:"directory",lastModified:Date.now(),mode:t?.mode||M.DIR,children:{}};
c.children[i]=h2}open(e,t,s){if(T(this,r,m).call(this,e).type!=="file")throw new d("EISDIR","Is a directory");let a=T(this,
r,C).call(this);return h(this,F).set(a,e),h(this,P).set(e,a),a}readdir(e){let t=T(this,r,m).call(this,e);if(t.type!=="di\
rectory")throw new d("ENOTDIR","Not a directory");return Object.keys(t.children)}read(e,t,s,i,a){let c=T(this,r,A).call(
this,e),h2=T(this,r,m).call(this,c);if(h2.type!=="file")throw new d("EISDIR","Is a directory");return h(this,f).get(h2.backingFilename).
sh.read(new Uint8Array(t.buffer,s,i),{at:a})}rename(e,t){T(this,r,D).call(this,{opp:"rename",args:[e,t]},()=>{this._renameState(
e,t,true)})}_renameState(e,t,s=false){let i=T(this,r,w).call(this,e),a=i.pop(),c=T(this,r,m).call(this,i.join("/"));if(!Object.
prototype.hasOwnProperty.call(c.children,a))throw new d("ENOENT","No such file or directory");let h2=T(this,r,w).call(this,
t),p=h2.pop(),l=T(this,r,m).call(this,h2.join("/"));if(s&&Object.prototype.hasOwnProperty.call(l.children,p)){let u2=l.children[p];
h(this,f).get(u2.backingFilename).sh.truncate(0),this.state.pool.push(u2.backingFilename)}l.children[p]=c.children[a],delete c.
children[a]}rmdir(e){T(this,r,D).call(this,{opp:"rmdir",args:[e]},()=>{this._rmdirState(e)})}_rmdirState(e){let t=T(this,
r,w).call(this,e),s=t.pop(),i=T(this,r,m).call(this,t.join("/"));if(!Object.prototype.hasOwnProperty.call(i.children,s))
throw new d("ENOENT","No such file or directory");let a=i.children[s];if(a.type!=="directory")throw new d("ENOTDIR","Not\
 a directory");if(Object.keys(a.children).length>0)throw new d("ENOTEMPTY","Directory not empty");delete i.children[s]}truncate(e,t=0){
let s=T(this,r,m).call(this,e);if(s.type!=="file")throw new d("EISDIR","Is a directory");let i=h(this,f).get(s.backingFilename)?.
sh;if(!i)throw new d("ENOENT","No such file or directory");i.truncate(t),h(this,S).add(i)}unlink(e){T(this,r,D).call(this,
{opp:"unlink",args:[e]},()=>{this._unlinkState(e,true)})}_unlinkState(e,t=false){let s=T(this,r,w).call(this,e),i=s.pop(),
a=T(this,r,m).call(this,s.join("/"));if(!Object.prototype.hasOwnProperty.call(a.children,i))throw new d("ENOENT","No suc\
h file or directory");let c=a.children[i];if(c.type!=="file")throw new d("EISDIR","Is a directory");if(delete a.children[i],
t){let h2=h(this,f).get(c.backingFilename).sh;h2?.truncate(0),h(this,S).add(h2),h(this,P).has(e)&&(h(this,F).delete(h(this,
P).get(e)),h(this,P).delete(e))}this.state.pool.push(c.backingFilename)}utimes(e,t,s){T(this,r,D).call(this,{opp:"utimes",
args:[e,t,s]},()=>{this._utimesState(e,t,s)})}_utimesState(e,t,s){let i=T(this,r,m).call(this,e);i.lastModified=s}writeFile(e,t,s){
let i=T(this,r,w).call(this,e),a=i.pop(),c=T(this,r,m).call(this,i.join("/"));if(Object.prototype.hasOwnProperty.call(c.
children,a)){let l=c.children[a];l.lastModified=Date.now(),T(this,r,E).call(this,{opp:"setLastModified",args:[e,l.lastModified]})}else{
if(this.state.pool.length===0)throw new Error("No more file handles available in the pool");let l={type:"file",lastModified:Date.
now(),mode:s?.mode||M.FILE,backingFilename:this.state.pool.pop()};c.children[a]=l,T(this,r,E).call(this,{opp:"createFile\
Node",args:[e,l]})}let h2=c.children[a],p=h(this,f).get(h2.backingFilename).sh;t.length>0&&(p.write(typeof t=="string"?new TextEncoder().
encode(t):new Uint8Array(t),{at:0}),e.startsWith("/pg_wal")&&h(this,S).add(p))}_createFileNodeState(e,t){let s=T(this,r,
w).call(this,e),i=s.pop(),a=T(this,r,m).call(this,s.join("/"));a.children[i]=t;let c=this.state.pool.indexOf(t.backingFilename);
return c>-1&&this.state.pool.splice(c,1),t}_setLastModifiedState(e,t){let s=T(this,r,m).call(this,e);s.lastModified=t}write(e,t,s,i,a){
let c=T(this,r,A).call(this,e),h2=T(this,r,m).call(this,c);if(h2.type!=="file")throw new d("EISDIR","Is a directory");let p=h(
this,f).get(h2.backingFilename)?.sh;if(!p)throw new d("EBADF","Bad file descriptor");let l=p.write(new Uint8Array(t,s,i),
{at:a});return c.startsWith("/pg_wal")&&h(this,S).add(p),l}};I=new WeakMap,k=new WeakMap,N=new WeakMap,H=new WeakMap,y=new WeakMap,
f=new WeakMap,x2=new WeakMap,F=new WeakMap,P=new WeakMap,S=new WeakMap,r=new WeakSet,L=async function(){x(this,I,await navigator.
storage.getDirectory()),x(this,k,await T(this,r,T2).call(this,this.dataDir,{create:true})),x(this,N,await T(this,r,T2).call(
this,$,{from:h(this,k),create:true})),x(this,H,await h(this,k).getFileHandle(U2,{create:true})),x(this,y,await h(this,H).
createSyncAccessHandle());let e=new ArrayBuffer(h(this,y).getSize());h(this,y).read(e,{at:0});let t,s=new TextDecoder().
decode(e).split(`
`),i=false;try{t=JSON.parse(s[0])}catch{t={root:{type:"directory",lastModified:Date.now(),mode:M.DIR,children:{}},pool:[]},
h(this,y).truncate(0),h(this,y).write(new TextEncoder().encode(JSON.stringify(t)),{at:0}),i=true}this.state=t;let a=s.slice(
1).filter(Boolean).map(l=>JSON.parse(l));for(let l of a){let u2=`_${l.opp}State`;if(typeof this[u2]=="function")try{this[u2].
bind(this)(...l.args)}catch(b){console.warn("Error applying OPFS AHP WAL entry",l,b)}}let c=[],h2=async l=>{if(l.type===
"file")try{let u2=await h(this,N).getFileHandle(l.backingFilename),b=await u2.createSyncAccessHandle();h(this,f).set(l.backingFilename,
{sh:b,fh:u2})}catch(u2){console.error("Error opening file handle for node",l,u2)}else for(let u2 of Object.values(l.children))
c.push(h2(u2))};await h2(this.state.root);let p=[];for(let l of this.state.pool)p.push(new Promise(async u2=>{h(this,f).
has(l)&&console.warn("File handle already exists for pool file",l);let b=await h(this,N).getFileHandle(l),J=await b.createSyncAccessHandle();
h(this,f).set(l,{fh:b,sh:J}),u2()}));await Promise.all([...c,...p]),await this.maintainPool(i?this.initialPoolSize:this.
maintainedPoolSize)},D=function(e,t){let s=T(this,r,E).call(this,e);try{t()}catch(i){throw h(this,y).truncate(s),i}},E=function(e){
let t=JSON.stringify(e),s=new TextEncoder().encode(`
${t}`),i=h(this,y).getSize();return h(this,y).write(s,{at:i}),h(this,S).add(h(this,y)),i},w=function(e){return e.split("\
/").filter(Boolean)},m=function(e,t){let s=T(this,r,w).call(this,e),i=t||this.state.root;for(let a of s){if(i.type!=="di\
rectory")throw new d("ENOTDIR","Not a directory");if(!Object.prototype.hasOwnProperty.call(i.children,a))throw new d("EN\
OENT","No such file or directory");i=i.children[a]}return i},A=function(e){let t=h(this,F).get(e);if(!t)throw new d("EBA\
DF","Bad file descriptor");return t},C=function(){let e=++U(this,x2)._;for(;h(this,F).has(e);)U(this,x2)._++;return e},T2=
async function(e,t){let s=T(this,r,w).call(this,e),i=t?.from||h(this,I);for(let a of s)i=await i.getDirectoryHandle(a,{create:t?.
create});return i};var d=class extends Error{constructor(v,e){super(e),typeof v=="number"?this.code=v:typeof v=="string"&&
(this.code=xe[v])}};export{z as OpfsAhpFS};
