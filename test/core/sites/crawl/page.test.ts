import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readManifest } from '../../../../src/core/sites/crawl/manifest.ts'
import { mixedContent } from '../../../../src/core/sites/crawl/mixed-content.ts'
import {
  MAX_LABEL_LENGTH,
  MAX_LINKS_OF_PAGE,
  readPage,
  upgradesInsecure,
} from '../../../../src/core/sites/crawl/page.ts'
import { readStyle } from '../../../../src/core/sites/crawl/style.ts'

describe('a page', () => {
  const links: [string, [string, string, string][]][] = [
    ['<a href=x>A  <b>bold</b>\nlink</a>', [['x', 'leads', 'A bold link']]],
    ['<a href=x></a>', [['x', 'leads', '<a href>']]],
    [
      '<a href=x><img src=y alt="A picture"></a>',
      [
        ['x', 'leads', 'A picture'],
        ['y', 'image', '<img src>'],
      ],
    ],
    [
      '<a href=x>not closed <a href=y>next</a>',
      [
        ['x', 'leads', 'not closed'],
        ['y', 'leads', 'next'],
      ],
    ],
    ['<A HREF="x&amp;y">é&eacute;</A>', [['x&y', 'leads', 'éé']]],
    ['<a name=x>no link</a><a>none</a>', []],
    ['<!-- <a href=x>x</a> --><script>"<a href=y>"</script>', []],
    ['<img srcset="a 1x, b,c 2x">', ['a', 'b,c'].map((href) => [href, 'set', '<img srcset>'])],
    ['<img srcset="a, b">', ['a', 'b'].map((href) => [href, 'set', '<img srcset>'])],
    ['<link rel="preconnect" href=x><link rel="shortcut icon" href=y>', [['y', 'image', '<link rel=icon>']]],
    ['<form action=x></form><form></form>', [['x', 'form', '<form action>']]],
    [
      '<button formaction=x></button><input formaction=y>',
      [
        ['x', 'form', '<button formaction>'],
        ['y', 'form', '<input formaction>'],
      ],
    ],
    [
      '<iframe src=x></iframe><object data=y></object><embed src=z><frame src=f>',
      [
        ['x', 'frame', '<iframe src>'],
        ['y', 'frame', '<object data>'],
        ['z', 'frame', '<embed src>'],
        ['f', 'frame', '<frame src>'],
      ],
    ],
    ['<object classid=x data=y></object><input src=z><script type=text/template src=t></script>', []],
    [
      '<script src=a nomodule></script><script type=module src=b></script>',
      [['b', 'script', '<script src>']],
    ],
    ['<input type=IMAGE src=x>', [['x', 'image', '<input src>']]],
    [
      '<video poster=p><source src=v><track src=t></video><audio src=a>',
      [
        ['p', 'image', '<video poster>'],
        ['v', 'media', '<source src>'],
        ['t', 'data', '<track src>'],
        ['a', 'media', '<audio src>'],
      ],
    ],
    [
      '<map><area href=x ping="p q"></map>',
      [
        ['x', 'leads', '<area href>'],
        ['p', 'ping', '<area ping>'],
        ['q', 'ping', '<area ping>'],
      ],
    ],
    [
      '<svg><a xlink:href=x>in a picture</a><image href=i /><use href="u#a" /></svg>',
      [
        ['x', 'leads', 'in a picture'],
        ['i', 'image', '<image href>'],
        ['u#a', 'image', '<use href>'],
      ],
    ],
    [
      '<table background=x><td background=y></table>',
      [
        ['x', 'image', '<table background>'],
        ['y', 'image', '<td background>'],
      ],
    ],
    ...['0; url=x', '0;URL = x', "3,'x'", '0; url="x" rest', ' 5 x'].map(
      (content): (typeof links)[number] => [
        `<meta http-equiv=Refresh content='${content.replaceAll("'", '&#39;')}'>`,
        [['x', 'leads', '<meta http-equiv=refresh>']],
      ],
    ),
    ['<meta http-equiv=refresh content="60"><meta name=refresh content="0;url=x">', []],
    [
      '<link rel="alternate stylesheet" href=a><link rel=stylesheet type=text/less href=b><link rel=alternate href=c>',
      [
        ['a', 'style', '<link rel=stylesheet>'],
        ['c', 'leads', '<link rel=alternate>'],
      ],
    ],
    [
      '<link rel=preload as=font href=a><link rel=preload href=b><link rel=preload as=image imagesrcset="c 1x, d 2x">',
      [
        ['a', 'data', '<link rel=preload>'],
        ['c', 'set', '<link rel=preload>'],
        ['d', 'set', '<link rel=preload>'],
      ],
    ],
    [
      '<link rel=manifest href=m><link rel=apple-touch-icon href=i><link rel=license href=l>',
      [
        ['m', 'manifest', '<link rel=manifest>'],
        ['i', 'kept', '<link rel=apple-touch-icon>'],
        ['l', 'leads', '<link rel=license>'],
      ],
    ],
    [
      '<style>p { background: url(a) } @import "b";</style><p style="background: url(\'c\')">',
      [
        ['a', 'image', '<style> url()'],
        ['b', 'style', '<style> @import'],
        ['c', 'image', '<p style> url()'],
      ],
    ],
    ['<style type=text/less>p { background: url(a) }</style>', []],
    [
      '<svg><rect fill="url(a.svg#g)" filter="url(#here)" /></svg>',
      [['a.svg#g', 'image', '<rect fill> url()']],
    ],
    ['<picture><img src=a></picture>', [['a', 'set', '<img src>']]],
    [
      '<picture><source srcset=b><img src=a></picture><img src=c>',
      [
        ['b', 'set', '<source srcset>'],
        ['a', 'set', '<img src>'],
        ['c', 'image', '<img src>'],
      ],
    ],
    ['<img src=a srcset>', [['a', 'set', '<img src>']]],
    [
      '<template><a href=x>x</a><style>p{background:url(y)}</style></template><a href=z></a>',
      [['z', 'leads', '<a href>']],
    ],
    ['<div><template shadowrootmode=open><img src=x></template></div>', [['x', 'image', '<img src>']]],
    ['<iframe srcdoc="<title>No</title><a href=x>inner</a>"></iframe>', [['x', 'leads', 'inner']]],
  ]
  for (const [html, expected] of links) {
    it(`has links: ${html}`, () => {
      assert.deepEqual(
        readPage(html).links.map(({ href, use, label }) => [href, use, label]),
        expected,
      )
    })
  }

  it('says its title, its base and its canonical address, the first ones', () => {
    const page = readPage(
      '<title> A\n page </title><base href=/b><base href=/c><link rel=canonical href=/d><svg><title>No</title></svg>',
    )
    assert.deepEqual([page.title, page.base, page.canonical], ['A page', '/b', '/d'])
  })

  it('is bounded', () => {
    const page = readPage(`<a href=x>${'long '.repeat(1_000)}</a>`.repeat(MAX_LINKS_OF_PAGE + 3))
    assert.equal(page.links.length, MAX_LINKS_OF_PAGE)
    assert.equal(page.dropped, 3)
    assert.equal(page.links[0]?.label.length, MAX_LABEL_LENGTH)
  })

  const policies: [string, boolean][] = [
    ['upgrade-insecure-requests', true],
    ["default-src 'self'; Upgrade-Insecure-Requests;", true],
    ["default-src 'self'", false],
    ['report-uri /upgrade-insecure-requests', false],
  ]
  for (const [policy, isUpgrading] of policies) {
    it(`${isUpgrading ? 'upgrades' : 'does not upgrade'} by ${policy}`, () => {
      assert.equal(upgradesInsecure(policy), isUpgrading)
    })
  }

  it('upgrades what follows a policy before its body', () => {
    const policy = '<meta http-equiv=Content-Security-Policy content=upgrade-insecure-requests>'
    const upgraded = (html: string) => readPage(html).links.map(({ isUpgraded }) => isUpgraded)
    assert.deepEqual(
      upgraded(`<script src=a></script>${policy}<img src=b><iframe srcdoc="<img src=c>"></iframe>`),
      [false, true, true],
    )
    assert.deepEqual(upgraded(`<head><title>A</title><script>1</script>${policy}</head><img src=b>`), [true])
    assert.deepEqual(upgraded(`<p>${policy}<img src=b>`), [false])
    assert.deepEqual(upgraded('<noscript><img src=a></noscript><img src=b>'), [true, false])
  })

  const mixed: [string, string, string | null][] = [
    ['<img src="http://a.example/i">', 'http://a.example/i', 'upgraded'],
    ['<img src="//a.example/i">', '', null],
    ['<base href="http://a.example/"><script src=s></script>', 'http://a.example/s', 'blocked'],
    ['<a href="http://a.example/l">x</a>', '', null],
    ['<form action="http://a.example/f"></form>', 'http://a.example/f', 'warned'],
    ['<img src="http://localhost:3000/i">', '', null],
    ['<script src="http://[::1]/s"></script>', '', null],
    ['<img src="http://192.0.2.1/i">', 'http://192.0.2.1/i', 'blocked'],
    ['<script src="http://192.168.0.1/s"></script>', 'http://192.168.0.1/s', 'asked'],
  ]
  for (const [html, address, treatment] of mixed) {
    it(`has insecure content that is ${treatment ?? 'none'}: ${html}`, () => {
      const found = mixedContent('https://site.example/', readPage(html), '')
      assert.deepEqual(
        found.map((one) => [one.address, one.treatment]),
        treatment === null ? [] : [[address, treatment]],
      )
      assert.deepEqual(mixedContent('http://site.example/', readPage(html), ''), [])
      assert.deepEqual(mixedContent('https://site.example/', readPage(html), 'upgrade-insecure-requests'), [])
    })
  }
})

describe('a style sheet', () => {
  const sheets: [string, [string, string][]][] = [
    ['p{background:url(a.png)}', [['a.png', 'image']]],
    ['p{background:URL( "a b.png" )}', [['a b.png', 'image']]],
    [
      "p{background:url('a.png'),url(b.png)}",
      [
        ['a.png', 'image'],
        ['b.png', 'image'],
      ],
    ],
    ['p{background:url(a\\29 .png)}', [['a).png', 'image']]],
    ['p{background:u\\72l(a.png)}', [['a.png', 'image']]],
    ['/* url(a) */ p{background:/**/url(b)}', [['b', 'image']]],
    ['p{content:"url(a)"}', []],
    ['p{background:url(a b)} q{background:url(c)}', [['c', 'image']]],
    [
      '@import "a.css"; @import url(b.css) screen; @import url("c.css") layer(x);',
      [
        ['a.css', 'style'],
        ['b.css', 'style'],
        ['c.css', 'style'],
      ],
    ],
    ['@\\69mport "a.css";', [['a.css', 'style']]],
    ['@charset "utf-8"; @namespace svg url(http://www.w3.org/2000/svg); @document url(a) {p{}}', []],
    [
      '@font-face{font-family:"F";src:local("F"),url(a.woff2) format("woff2"),url("b.woff")}',
      [
        ['a.woff2', 'data'],
        ['b.woff', 'data'],
      ],
    ],
    [
      '@media (min-width:1px){@font-face{src:url(a)} p{mask:url(b)}}',
      [
        ['a', 'data'],
        ['b', 'image'],
      ],
    ],
    [
      'p{background:image-set("a.png" 1x, url(b.png) 2x type("image/png"))}',
      [
        ['a.png', 'image'],
        ['b.png', 'image'],
      ],
    ],
    ['p{fill:url(#here)}', []],
    ['p{background:url(data:image/png;base64,AA==)}', [['data:image/png;base64,AA==', 'image']]],
    ['p{background:url(a.png', [['a.png', 'image']]],
    ['p{--picture:url(a.png)}', [['a.png', 'image']]],
  ]
  for (const [css, expected] of sheets) {
    it(`loads ${expected.length}: ${css}`, () => {
      assert.deepEqual(
        [...readStyle(css)].map(({ href, use }) => [href, use]),
        expected,
      )
    })
  }
})

describe('the manifest of an app', () => {
  it('names its start, its icons and its shortcuts', () => {
    const manifest = {
      start_url: '/app',
      icons: [{ src: 'a.png' }, { src: 7 }, null],
      screenshots: 'none',
      shortcuts: [{ url: '/new', icons: [{ src: 'b.png' }] }],
    }
    assert.deepEqual(
      readManifest(JSON.stringify(manifest)).map(({ href, use }) => [href, use]),
      [
        ['/app', 'leads'],
        ['a.png', 'kept'],
        ['/new', 'leads'],
        ['b.png', 'kept'],
      ],
    )
    for (const none of ['', '[]', 'null', '{', '"x"']) assert.deepEqual(readManifest(none), [])
  })
})
