import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cl100k } from '../../../test/support/ollama/cl100k';
import { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import { o200k } from '../../../test/support/ollama/tokenizer';
import { MeteredTalk } from '../../../test/support/tokens/meteredTalk';
import { CHINESE, JAPANESE, projectText, RUSSIAN } from '../../../test/support/tokens/sampleTexts';
const MODEL = { name: 'm', capabilities: ['completion', 'tools', 'thinking'] };
const T: [string,string,string,string][] = [
 ['code','Where is the reducer?',projectText('src/protocol/transcript.ts'),projectText('src/extension/storage/writer.ts')],
 ['prose','How is history stored?',projectText('docs/storage.md'),projectText('docs/architecture.md')],
 ['json','Which scripts are there?',projectText('package.json'),projectText('.oxlintrc.json')],
 ['zh q','请用中文说明历史记录是怎样保存的，并指出最重要的限制。',CHINESE,CHINESE.slice(300,900)+RUSSIAN],
 ['zh en q','How is history stored?',CHINESE.repeat(3),projectText('node_modules/axe-core/locales/zh_CN.json',9000)],
 ['mixed','Wie wird gespeichert? Bitte auf Deutsch.',projectText('src/webview/components/runLine.tsx')+CHINESE.slice(0,500),JAPANESE+projectText('scripts/bench.mjs')],
 ['ru','Почему сервер не отвечает?',RUSSIAN.repeat(4),projectText('README.md')],
 ['ja','保存方法は？',JAPANESE.repeat(4),projectText('README.md')],
];
describe.each([['o200k',o200k],['cl100k',cl100k]] as const)('%s',(name,tokenizer)=>{
 let server:OllamaServer; beforeAll(async()=>{server=await OllamaServer.start({models:[MODEL],tokenizer});}); afterAll(()=>server.close());
 it.each(T)('%s',async(n,q,a,b)=>{const t=new MeteredTalk(server);
  await t.turn(q,{thinking:'I should read the file first, then answer. '+q,result:a},{thinking:'Now the other one.',text:q,result:b},{text:'Here is what I found. '+q.repeat(4)});
  const after=t.meter();const op=t.opened;
  await t.turn('And what else? '+q,{text:'That is all.'}); await t.turn('Thanks. '+a.slice(0,800),{text:'ok'});
  console.log(name,n,t.metered.map(m=>`${m.counted}:${(m.error*100).toFixed(1)}%`).join(' '),after.reported,after.tokens,op?.tokens,op?.reported);
  expect(1).toBe(1);
 });
});
