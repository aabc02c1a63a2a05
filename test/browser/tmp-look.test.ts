import { before, describe, it } from 'node:test'
import {
  expectGoodScreens,
  type Gallery,
  LOOKS,
  lookAt,
  openGallery,
} from '../support/browser/every-screen.ts'
import { openScreen, untilLoaded } from '../support/browser/screens.ts'
import { suiteScope } from '../support/scope.ts'

describe('tmp', () => {
  const scope = suiteScope()
  let gallery: Gallery
  before(async () => {
    gallery = await openGallery(scope)
  })
  const mine = () => gallery.screens.filter(({ path }) => /\/(sites|expiries)/.test(path))
  it('shots', async () => {
    for (const [name, look] of Object.entries(LOOKS)) {
      if (name === 'wide and dark' || name === 'narrow and light') continue
      const page = gallery.inside
      await lookAt(page, look)
      for (const [index, { path }] of mine().entries()) {
        await openScreen(page, path)
        await untilLoaded(page)
        await page.screenshot({
          path: `/tmp/shots/${name.replaceAll(' ', '-')}-${index}.png`,
          fullPage: true,
        })
      }
    }
  })
  for (const name of Object.keys(LOOKS) as (keyof typeof LOOKS)[])
    it(name, () => expectGoodScreens(mine(), name))
})
