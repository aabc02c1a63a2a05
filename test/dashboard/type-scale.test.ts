import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { FONT } from '../../dashboard/parts/charts/axes.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TOKENS = readFileSync(join(ROOT, 'src/pages/look/tokens.css'), 'utf8')
/** `base` of `--type-base`. */
const STEPS = [...TOKENS.matchAll(/^ {2}--type-(\w+): /gm)].map(([, step]) => step as string)
const WEIGHTS = [...TOKENS.matchAll(/^ {2}--weight-(\w+): /gm)].map(([, weight]) => weight as string)
/** All but status pages, which are one request each, and paper, which has sizes of its own. */
const SCREENS = filesOf('dashboard', /\.tsx?$/)
const SHEETS = [...filesOf('dashboard', /\.css$/), ...filesOf('src/pages', /\.css$/)].filter(
  ({ path }) => !path.includes('status-pages') && !/(tokens|print)\.css$/.test(path),
)

function filesOf(folder: string, name: RegExp): { path: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !/^(dist|public)\b/.test(file))
    .map((file) => join(ROOT, folder, file))
    .map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, 'utf8') }))
}

/** Sizes, lines and weights of a sheet that are no tokens. */
function strays(sheet: string): string[] {
  const allowed = {
    'font-size': /^(var\(--type-(\w+)\)|inherit|93\.75%|125%)$/,
    'line-height': /^(var\(--type-\w+-line\)|inherit|1\.\d+)$/,
    'font-weight': /^(var\(--weight-\w+\)|inherit|100 900)$/,
    font: /^inherit$/,
  }
  return Object.entries(allowed).flatMap(([property, good]) =>
    [...sheet.matchAll(new RegExp(`(?:^|[{;\\s])${property}:\\s*([^;}]+)`, 'g'))]
      .filter(([, value]) => !good.test((value as string).trim()))
      .map(([said]) => said.trim()),
  )
}

/** Classes of a screen that set a size, a line or a weight past the scale. */
function strayClasses(text: string): string[] {
  const sizes =
    /(?<![\w-])(?:text|leading|font)-\[[^\]]+\]|(?<![\w-])text-(?:xs|sm|base|lg|\d?xl)(?:\/\S+)?\b/g
  const other =
    text.match(/\bfontSize:|\bfontWeight:|(?<![\w-])font-(?:thin|light|bold|extrabold|black)\b/g) ?? []
  const classes = text.match(sizes) ?? []
  return [
    ...other,
    ...classes.filter((name) => !STEPS.includes(name.replace(/^text-/, '')) && !/^text-\[--/.test(name)),
  ]
}

describe('the scale of type', () => {
  it('has seven sizes of text, each with its line, and three weights', () => {
    assert.deepEqual(STEPS, ['xs', 'sm', 'base', 'lg', 'xl', '2xl', '3xl', 'touch', 'code'])
    assert.deepEqual(WEIGHTS, ['normal', 'medium', 'strong'])
    for (const step of STEPS.slice(0, 7)) assert.match(TOKENS, new RegExp(`--type-${step}-line: `))
  })

  it('is all that style sheets use', () => {
    assert.ok(SHEETS.length >= 4)
    assert.deepEqual(
      SHEETS.flatMap(({ path, text }) => strays(text).map((said) => `${path}: ${said}`)),
      [],
    )
  })

  it('is all that screens use', () => {
    assert.ok(SCREENS.length > 200)
    assert.deepEqual(
      SCREENS.flatMap(({ path, text }) => strayClasses(text).map((said) => `${path}: ${said}`)),
      [],
    )
  })

  it('finds what is no step of it', () => {
    assert.deepEqual(
      strays('a { font-size: 13px; line-height: 20px } b { font: 12px serif; font-weight: 700 }'),
      ['font-size: 13px', 'line-height: 20px', 'font-weight: 700', 'font: 12px serif'],
    )
    assert.deepEqual(strayClasses('<p className="sm:text-4xl text-[13px] text-sm font-bold text-soft" />'), [
      'font-bold',
      'text-4xl',
      'text-[13px]',
    ])
  })

  it('gives charts, which are painted, its smallest step in the face of the screens', () => {
    const smallest = Number(/--type-xs: ([\d.]+)rem/.exec(TOKENS)?.[1])
    const face = /--sans:\s*([^;]+);/.exec(TOKENS)?.[1]?.split(', ').slice(0, 2).join(', ')
    assert.ok(FONT.startsWith(`${smallest * 15}px ${face}`), FONT)
  })
})

describe('boxes that scroll', () => {
  it('fade where there is more below, but for those with a shadow of their own, which would fade with them', () => {
    const cut = SCREENS.flatMap(({ path, text }) =>
      (text.match(/"[^"\n]*\bmax-h-[^"\n]*"/g) ?? [])
        .filter((classes) => /\boverflow-y-auto\b/.test(classes) && !/\bshadow-/.test(classes))
        .map((classes) => `${path}: ${classes}`),
    )
    assert.deepEqual(cut, [])
    assert.ok(SCREENS.some(({ text }) => /\bmax-h-\S+[^"\n]* scrolls\b/.test(text)))
  })
})
