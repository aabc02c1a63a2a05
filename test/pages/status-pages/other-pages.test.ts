import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PageLanguage } from '../../../src/core/language/page-languages.ts'
import { PAGE_WORDS } from '../../../src/core/status-pages/words/words.ts'
import { renderHistoryPage } from '../../../src/pages/status-pages/history-page.ts'
import {
  renderNotFound,
  renderPasswordForm,
  renderUnavailable,
} from '../../../src/pages/status-pages/plain-pages.ts'
import { renderPostPage } from '../../../src/pages/status-pages/post-page.ts'
import {
  renderSubscribeAnswer,
  renderSubscribeForm,
  renderSubscription,
  type SubscriptionStep,
} from '../../../src/pages/status-pages/subscribe-pages.ts'
import { hoursAgo, samplePage, samplePost, sampleUpdate } from '../../support/status-pages/models.ts'
import { troubledPage } from '../../support/status-pages/pages.ts'

const HERE = { language: 'en', base: '/status/acme' } as const
const ADDRESS = 'ada+"status"@example.com'
const ESCAPED = 'ada+&quot;status&quot;@example.com'

describe('the page of a post', () => {
  it('has every update, and its own address', () => {
    const updates = Array.from({ length: 9 }, (_, id) =>
      sampleUpdate({ id, at: hoursAgo(id), body: `No. ${id}.` }),
    )
    const html = renderPostPage(samplePage(), samplePost({ updates }), HERE)
    for (const { body } of updates) assert.ok(html.includes(`<p>${body}</p>`), body)
    assert.match(html, /<title>Errors in the API · Acme status<\/title>/)
    assert.match(html, /rel="canonical" href="https:\/\/upbeat.example.com\/status\/acme\/posts\/41"/)
    assert.match(html, /<a href="\/status\/acme">Current status<\/a>/)
  })
})

describe('the history of a month', () => {
  const createdAt = new Date('2026-09-30T23:59:00Z')
  const CASES: [month: string, earlier: string | null, later: string | null][] = [
    ['2026-09', null, '2026-10'],
    ['2026-10', '2026-09', '2026-11'],
    ['2026-11', '2026-10', null],
  ]
  for (const [month, earlier, later] of CASES) {
    it(`leads from ${month} to the months beside it, from the page's first to this one`, () => {
      const html = renderHistoryPage(
        samplePage({ createdAt }),
        { month: new Date(`${month}-01T00:00:00Z`), posts: [] },
        HERE,
      )
      const turn = html.split('class="turn"')[1]?.split('</p>')[0] ?? ''
      const months = [...turn.matchAll(/history\/(\d{4}-\d{2})"/g)].map(([, found]) => found)
      assert.deepEqual(months, [earlier, later].filter(Boolean))
      assert.ok(html.includes(PAGE_WORDS.en.posts.noneInMonth))
    })
  }

  it('goes over the end of a year', () => {
    const month = new Date('2026-01-01T00:00:00Z')
    const html = renderHistoryPage(samplePage({ createdAt: new Date(0) }), { month, posts: [] }, HERE)
    assert.match(html, /history\/2025-12".*history\/2026-02"/)
  })
})

describe('pages that tell nothing of a status page', () => {
  it('are the same for whatever is not to be seen', () => {
    const html = renderNotFound('en')
    assert.equal(html, renderNotFound('en'))
    assert.match(html, /<title>Page not found<\/title>/)
    assert.doesNotMatch(html, /Acme|acme/)
  })

  it('ask for a password without the name of the page, and say what was wrong', () => {
    const form = renderPasswordForm(HERE, null)
    assert.match(form, /<form method="post" action="\/status\/acme\/sign-in">/)
    assert.match(form, /type="password" autocomplete="current-password" required>/)
    assert.doesNotMatch(form, /Acme|role="alert"|<script/)
    const wrong = renderPasswordForm(HERE, 'wrong')
    assert.match(wrong, /aria-invalid="true" aria-describedby="fault"/)
    assert.ok(wrong.includes(PAGE_WORDS.en.signIn.wrong))
    assert.ok(renderPasswordForm(HERE, 'tooMany').includes(PAGE_WORDS.en.signIn.tooMany))
  })

  it('say what to do about what cannot be read, and lead to the page', () => {
    const html = renderUnavailable(HERE)
    assert.match(html, /<title>Not available at the moment<\/title>/)
    assert.match(html, /<a href="\/status\/acme">Current status<\/a>/)
    assert.doesNotMatch(html, /Acme|<script/)
  })

  for (const language of PageLanguage.options) {
    it(`are in ${language}`, () => {
      assert.ok(renderUnavailable({ language, base: '' }).includes(PAGE_WORDS[language].unavailable.text))
      assert.ok(renderNotFound(language).includes(PAGE_WORDS[language].notFound.text))
      assert.ok(renderPasswordForm({ language, base: '' }, null).includes(PAGE_WORDS[language].signIn.title))
    })
  }
})

describe('subscribing', () => {
  it('has a form for mail and one for webhooks, with all or chosen components', () => {
    const html = renderSubscribeForm(troubledPage(), HERE)
    assert.equal(html.match(/<form method="post" action="\/status\/acme\/subscribe">/g)?.length, 2)
    assert.match(html, /name="email" type="email" required/)
    assert.match(html, /name="webhook_url" type="url" required/)
    assert.equal(html.match(/name="components" value="\d+"/g)?.length, 22)
    assert.equal(html.match(/value="all" checked/g)?.length, 2)
  })

  it('gives back what was sent with the reason why it was not taken', () => {
    const fault = { field: 'email', value: '"><b>', message: 'must be an e-mail address' } as const
    const html = renderSubscribeForm(troubledPage(), HERE, fault)
    assert.match(html, /value="&quot;&gt;&lt;b&gt;" aria-invalid="true" aria-describedby="fault"/)
    assert.equal(html.match(/must be an e-mail address/g)?.length, 1)
  })

  for (const [answer, title] of [
    ['email', 'Check your inbox'],
    ['webhook', 'Confirm the webhook'],
    [{ wait: '9 min' }, 'Too many attempts'],
  ] as const) {
    it(`answers: ${title}`, () => {
      assert.ok(renderSubscribeAnswer(samplePage(), HERE, answer).includes(`<h1 class="title">${title}</h1>`))
    })
  }

  const STEPS: [SubscriptionStep, title: string, actions: string[]][] = [
    [{ step: 'confirm', address: ADDRESS }, 'Confirm your subscription', ['confirm']],
    [{ step: 'confirmed', address: ADDRESS }, 'You are subscribed', []],
    [
      { step: 'manage', address: ADDRESS, components: null, isSaved: false },
      'Your subscription',
      ['change', 'end'],
    ],
    [{ step: 'end', address: ADDRESS }, 'Unsubscribe?', ['end']],
    [{ step: 'ended', address: ADDRESS }, 'You are unsubscribed', []],
    [{ step: 'gone' }, 'This link no longer works', []],
  ]
  for (const [step, title, actions] of STEPS) {
    it(`shows at the mailed link: ${title}, and changes something by a button only`, () => {
      const html = renderSubscription(troubledPage(), HERE, 'tok', step)
      assert.ok(html.includes(`<h1 class="title">${title}</h1>`))
      assert.deepEqual(
        [...html.matchAll(/<button name="action" value="(\w+)"/g)].map(([, action]) => action),
        actions,
      )
      assert.equal(
        html.match(/<form method="post" action="\/status\/acme\/subscriptions\/tok">/g)?.length ?? 0,
        actions.length,
      )
      assert.equal(html.includes(ESCAPED), step.step !== 'gone')
      assert.match(html, /<meta name="robots" content="noindex">/)
    })
  }

  it('shows what was chosen', () => {
    const step = { step: 'manage', address: ADDRESS, components: [2, 20], isSaved: true } as const
    const html = renderSubscription(troubledPage(), HERE, 'tok', step)
    const ticked = [...html.matchAll(/name="components" value="(\d+)" checked/g)].map(([, id]) => Number(id))
    assert.deepEqual(ticked, [2, 20])
    assert.match(html, /value="chosen" checked/)
    assert.ok(html.includes(PAGE_WORDS.en.subscription.changed))
  })
})
