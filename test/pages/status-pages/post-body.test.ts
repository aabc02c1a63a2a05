import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_BODY_LENGTH } from '../../../src/core/status-pages/post.ts'
import { renderPostBody } from '../../../src/pages/status-pages/markdown.ts'

const CASES: [what: string, markdown: string, html: string][] = [
  ['emphasis', 'It is **down**.', '<p>It is <strong>down</strong>.</p>'],
  ['lines as they were written', 'one\ntwo', '<p>one<br>two</p>'],
  ['a list', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['tasks without controls', '- [x] done', '<ul>\n<li>☑ done</li>\n</ul>'],
  ['a heading as a line in bold', '# News', '<p><strong>News</strong></p>'],
  ['code', '`a < b`', '<p><code>a &lt; b</code></p>'],
  ['HTML as text', 'a <b onclick="x">b</b>', '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>'],
  ['a script as text', '<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [
    'a link to the web',
    '[a](https://x.example/?a="&b)',
    '<p><a href="https://x.example/?a=&quot;&amp;b" rel="nofollow noopener">a</a></p>',
  ],
  [
    'an address of mail',
    '[a](mailto:a@x.example)',
    '<p><a href="mailto:a@x.example" rel="nofollow noopener">a</a></p>',
  ],
  ['no link to a script', '[a](javascript:alert(1))', '<p>a</p>'],
  ['no link to a script in capitals', '[a]( JavaScript:alert(1) )', '<p>a</p>'],
  ['no link to data', '[a](data:text/html,x)', '<p>a</p>'],
  ['no link within the site', '[a](/sign-out)', '<p>a</p>'],
  ['the words of an image', '![a "b"](https://x.example/a.png)', '<p>a &quot;b&quot;</p>'],
]

describe('the text of a post', () => {
  for (const [what, markdown, html] of CASES) {
    it(`has ${what}`, () => assert.equal(renderPostBody(markdown).trim(), html))
  }

  const TOO_MUCH: [what: string, markdown: string][] = [
    ['quotes in each other', '>'.repeat(MAX_BODY_LENGTH)],
    ['lists in each other', '1. '.repeat(MAX_BODY_LENGTH / 3)],
    ['emphases in each other', `${'*a '.repeat(3_000)}${' a*'.repeat(3_000)}`],
    ['underscores within words', `_${'a_'.repeat(9_000)}a *b*`],
    ['a list of thousands of lines', `- a${'\n    a'.repeat(3_000)}`],
    ['a gap as wide as a text', `*a*${' '.repeat(MAX_BODY_LENGTH - 4)}b`],
  ]
  for (const [what, markdown] of TOO_MUCH) {
    it(`is plain where nobody could read it: ${what}`, () => {
      assert.doesNotMatch(renderPostBody(markdown).slice(3, -4), /<\w/)
    })
  }

  it('keeps a long line and many names with underscores', () => {
    assert.match(renderPostBody('-'.repeat(500)), /<hr>/)
    assert.match(renderPostBody(`**a** ${'max_user_connections '.repeat(900)}`), /<strong>/)
  })
})
