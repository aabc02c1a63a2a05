// npm test leaves this out: it opens every screen in each theme and at each width, and axe reads each of them (minutes of a browser).
import { before, describe, it } from 'node:test'
import { expectGoodScreens, type Gallery, LOOKS, openGallery } from '../../support/browser/every-screen.ts'
import { suiteScope } from '../../support/scope.ts'

describe('every screen, in each theme and at each width', () => {
  const scope = suiteScope()
  let gallery: Gallery

  before(async () => {
    gallery = await openGallery(scope)
  })

  for (const look of Object.keys(LOOKS) as (keyof typeof LOOKS)[]) {
    it(`says where one is, fits and can be used by everybody, ${look}`, async () => {
      await expectGoodScreens(gallery.screens, look)
    })
  }
})
