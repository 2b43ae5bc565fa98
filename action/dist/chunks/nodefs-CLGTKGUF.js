import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
import{Ce,I,u}from"./chunk-WI3PHZFH.js";import"./chunk-MEAQO6XE.js";import*as o from"fs";import*as r from"path";u();var m=class extends Ce{constructor(t){super(t),this.rootDir=r.resolve(t),
o.existsSync(r.join(this.rootDir))||o.mkdirSync(this.rootDir)}async init(t,e){return this.pg=t,{emscriptenOpts:{...e,preRun:[
...e.preRun||[],s=>{let c=s.NODEFS;s.FS.mkdirTree(I),s.FS.mount(c,{root:this.rootDir},I)}]}}}async closeFs(){this.pg.Module.
FS.quit()}};export{m as NodeFS};
