import { linesOf, type Offers, testCompletion } from '../support/documents/completions.ts'

const inFish: Offers = (text, line) =>
  linesOf('fish', ['--no-config', '-c', `${text}\ncomplete -C '${line}'`]).map(
    (each) => each.split('\t')[0] as string,
  )

testCompletion('fish', inFish)
