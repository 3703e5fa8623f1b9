import { test } from '@jest/globals';
import { parseYaml } from '../../src/config/yamlSource.js';
test('probe', () => {
  const show = (t: string) => { const s = Date.now(); const r: any = parseYaml(t, 'f.yml'); console.log(JSON.stringify(t.slice(0,60)), Date.now()-s, 'ms', r._tag === 'Left' ? r.left.message.slice(0,400) : JSON.stringify(r.right.value).slice(0,200)); };
  ['a: 1\nb: [1, x', 'a: 1\na: 2', '1: x\ntrue: y\n? [a]\n: z', ': x', '*a', '&a [*a]', 'a: &x 1\n*x : 2', '---\na\n---\nb','a: !foo 1','%YAML 1.1\n---\na: yes\nb: 0o10\n','a:\n\tb: 1','\uFEFFa: 1\r\nb: 2\r\n','', '# c\n', 'a: .inf', 'a: 12345678901234567890', '__proto__: {x: 1}\nconstructor: 2', 'a: 2020-01-01', 'a: !!binary aGk=', '<<: {a: 1}', 'a: "\\x"', 'a: "x\ny', '@x', 'a: `x`', 'a: %x', "a: 'b' c", 'a: b: c', 'a\0b: 1', '? a', '!!set {a, b}', '"a": 1\na: 2',
   '['.repeat(50000), '['.repeat(1e6), '- '.repeat(50000), '{a: '.repeat(20000), '&a '.repeat(10000), Array.from({length:100000},(_, i)=>`k${i}: 1\n`).join(''),
   'a: &a [1,1,1,1,1,1,1,1,1,1]\n' + Array.from({length:20},(_, i)=>`b${i}: &b${i} [${Array(10).fill(i===0?'*a':`*b${i-1}`).join(',')}]\n`).join(''),
   '- x\n'.repeat(400000), 'a: ' + '"'.repeat(1e6), ' '.repeat(1e6)+'x', '\n'.repeat(1e6), '#\n'.repeat(5e5), 'a: |\n' + '  x\n'.repeat(2e5), '!'.repeat(1e6), '? '.repeat(1e5), '\t'.repeat(1e6), 'a: x' + '\n\n'.repeat(3e5) + 'b', '[a,\n'.repeat(1e5),'- - '.repeat(1000)].forEach(show);
});
