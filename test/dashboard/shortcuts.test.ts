import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type Doing, SHORTCUTS, shortcutOf } from '../../dashboard/app/shortcuts.ts'

const PLAIN = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

describe('the shortcuts of the dashboard', () => {
  it('stand alone, or with Ctrl or ⌘, and with nothing else', () => {
    const cases: [pressed: object, does: Doing | undefined, whileTyping: Doing | undefined][] = [
      [{ key: 'j' }, 'next', undefined],
      [{ key: 'k' }, 'previous', undefined],
      // With Caps Lock.
      [{ key: 'J' }, 'next', undefined],
      [{ key: 'w' }, 'wallboard', undefined],
      [{ key: 'w', ctrlKey: true }, undefined, undefined],
      [{ key: 'J', shiftKey: true }, undefined, undefined],
      [{ key: 'j', ctrlKey: true }, undefined, undefined],
      [{ key: 'j', altKey: true }, undefined, undefined],
      [{ key: '/' }, 'filter', undefined],
      [{ key: '/', shiftKey: true }, 'filter', undefined],
      [{ key: '/', metaKey: true }, undefined, undefined],
      [{ key: '?', shiftKey: true }, 'help', undefined],
      [{ key: 'k', ctrlKey: true }, 'find', 'find'],
      [{ key: 'k', metaKey: true }, 'find', 'find'],
      [{ key: 'K', ctrlKey: true, shiftKey: true }, undefined, undefined],
      [{ key: 'Enter' }, undefined, undefined],
    ]
    for (const [pressed, does, whileTyping] of cases) {
      const event = { ...PLAIN, key: '', ...pressed }
      assert.deepEqual(
        [shortcutOf(event, false), shortcutOf(event, true)],
        [does, whileTyping],
        JSON.stringify(pressed),
      )
    }
  })

  it('are all in docs/dashboard.md', () => {
    const text = readFileSync(new URL('../../docs/dashboard.md', import.meta.url), 'utf8')
    const [, table = ''] = /^## Keyboard\n(.*?)^## /ms.exec(text) ?? []
    const listed = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, keys = '']) => keys.split(', '))
    const missing = SHORTCUTS.map(({ shown }) => shown).filter((shown) => !listed.includes(shown))
    assert.deepEqual(missing, [])
  })
})
