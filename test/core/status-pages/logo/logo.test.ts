import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logoTypeOf } from '../../../../src/core/status-pages/logo/logo.ts'

test('the type of a logo is told by its bytes', () => {
  const table: [bytes: string, type: string | null][] = [
    ['\x89PNG\r\n\x1a\n and more', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image/webp'],
    ['GIF87a', 'image/gif'],
    ['GIF89a', 'image/gif'],
    ['RIFF\x01\x02\x03\x04WAVE', null],
    ['\x89PNG\r\n', null],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', null],
    ['', null],
  ]
  for (const [bytes, type] of table) assert.equal(logoTypeOf(Buffer.from(bytes, 'latin1')), type, bytes)
})
