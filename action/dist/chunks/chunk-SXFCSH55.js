import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
function suggestChoice(text,choices){if(text.length>MAX_LENGTH)return null;const near=choices.map(choice=>({choice,distance:computeEditDistance(
text.toLowerCase(),choice.toLowerCase())})).filter(({choice,distance:far})=>far<=Math.max(1,Math.floor(choice.length/3))).
sort((a,b)=>a.distance-b.distance);return near[0]?.choice??null}var MAX_LENGTH=40;function computeEditDistance(a,b){let before=[];
let row=Array.from({length:b.length+1},(_,index)=>index);for(let i=1;i<=a.length;i+=1){const next=[i];for(let j=1;j<=b.length;j+=
1){const same=a[i-1]===b[j-1]?0:1;const swapped=a[i-1]===b[j-2]&&a[i-2]===b[j-1]?getCost(before,j-2)+1:Number.POSITIVE_INFINITY;
next.push(Math.min(getCost(row,j)+1,getCost(next,j-1)+1,getCost(row,j-1)+same,swapped))}before=row;row=next}return getCost(
row,b.length)}var getCost=(row,index)=>row[index]??Number.POSITIVE_INFINITY;export{suggestChoice};
