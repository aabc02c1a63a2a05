import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import ts from './typescript-api.ts'

/** A text as it is written in a file. */
export type WrittenText = { file: string; line: number; text: string }

/**
 * A call of `t`, `rich`, `phrase` or `said`: the key of its text in a catalogue, and the names of the values that it gives; null
 * where they are not written out.
 */
export type TextCall = WrittenText & { key: string; values: string[] | null }

const CALLS = new Set(['t', 'rich', 'phrase', 'said'])
/** A file with a call matches; one without may, too. */
const CALL = new RegExp(`\\b(${[...CALLS].join('|')})\\s*[<(?]`)

/** Attributes whose values are names for programs. */
const NAMING = new Set(
  (
    'className type id href to d viewBox key name role variant tone size align side mode method rel target src ' +
    'autoComplete inputMode htmlFor kind as fill stroke dateTime pattern preserveAspectRatio transform field icon from path of'
  ).split(' '),
)

/** Names that are the same in every language, and words of programs. */
const NAMES = new Set(
  (
    'Upbeat Slack Discord Telegram Enter Escape Tab Home End Delete Backspace ArrowUp ArrowDown ArrowLeft ArrowRight ' +
    'PageUp PageDown Space Shift Control Alt Meta Content-Type UTC'
  ).split(' '),
)

/** Functions whose texts nobody reads on a screen. */
const UNREAD =
  /^(console\.\w+|saveRecord|.*\.(get|set|has|startsWith|endsWith|includes|getItem|setItem|removeItem|querySelector\w*|addEventListener|setRequestHeader|match|test))$/

/** The texts of files: those that are marked for translation, and all others that look as if somebody read them. */
export function textsOf(root: string, pattern: string): Texts {
  const found = readFiles(root, pattern).map(({ file, content }) => textsIn(file, content))
  return {
    calls: found.flatMap(({ calls }) => calls),
    unwrapped: found.flatMap(({ unwrapped }) => unwrapped),
  }
}

/** Only those that are marked: a file without a mark need not be parsed. */
export function callsOf(root: string, pattern: string): TextCall[] {
  const marked = readFiles(root, pattern).filter(({ content }) => CALL.test(content))
  return marked.flatMap(({ file, content }) => textsIn(file, content).calls)
}

function readFiles(root: string, pattern: string): { file: string; content: string }[] {
  const files = globSync(pattern, { cwd: root }).filter(
    (file) => !/\.d\.ts$|\/dist\/|vite\.config/.test(file),
  )
  return files.sort().map((file) => ({ file, content: readFileSync(join(root, file), 'utf8') }))
}

type Texts = { calls: TextCall[]; unwrapped: WrittenText[] }

/** Several files of tests ask for the same sources: each is parsed once. */
const known = new Map<string, { content: string; texts: Texts }>()

function textsIn(file: string, content: string): Texts {
  const last = known.get(file)
  if (last?.content === content) return last.texts
  const texts = findTexts(file, content)
  known.set(file, { content, texts })
  return texts
}

function findTexts(file: string, content: string): Texts {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  }
  const source = ts.createSourceFile(file, content, options, true, kind)
  const calls: TextCall[] = []
  const unwrapped: WrittenText[] = []
  const written = (node: ts.Node, text: string): WrittenText => ({
    file,
    line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
    text,
  })

  function visit(node: ts.Node): void {
    if (isWithoutText(node)) return
    if (ts.isJsxText(node)) {
      if (/\p{L}{2}/u.test(node.text)) unwrapped.push(written(node, node.text.trim()))
      return
    }
    // A record is named as its operations are, in a property or an attribute.
    const isRecord = ts.isPropertyAssignment(node) && node.name.getText(source) === 'of'
    if (isRecord || (ts.isJsxAttribute(node) && NAMING.has(node.name.getText(source)))) {
      visitCalls(node)
      return
    }
    if (ts.isCallExpression(node)) {
      const name = node.expression.getText(source)
      const [first, values, context] = node.arguments
      if (CALLS.has(name.replace(/^.*\./, ''))) {
        for (const literal of first ? literalsOf(first) : []) {
          const key = keyOf(literal.text, context)
          calls.push({ ...written(literal, literal.text), key, values: valuesOf(values) })
        }
        for (const argument of node.arguments.slice(1)) visit(argument)
        return
      }
      if (UNREAD.test(name)) {
        // Names and keys for the program; a function among them may show texts.
        for (const argument of node.arguments) if (!ts.isStringLiteralLike(argument)) visit(argument)
        return
      }
    }
    if (ts.isNewExpression(node) && /Error$|^RegExp$|^URL$/.test(node.expression.getText(source))) return
    if (ts.isStringLiteralLike(node)) {
      if (isRead(node, source) && looksRead(node.text)) unwrapped.push(written(node, node.text))
      return
    }
    if (ts.isTemplateExpression(node)) {
      const text = node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('')
      if (looksRead(text) || /\p{L}{2,} \p{L}{2,}.*\.$/u.test(text)) unwrapped.push(written(node, text))
    }
    ts.forEachChild(node, visit)
  }

  /** The name of a program that is translated after all is a name for people. */
  function visitCalls(node: ts.Node): void {
    if (ts.isCallExpression(node) && CALLS.has(node.expression.getText(source))) visit(node)
    else ts.forEachChild(node, visitCalls)
  }

  visit(source)
  return { calls, unwrapped }
}

function isWithoutText(node: ts.Node): boolean {
  return ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)
}

/** The literals that an argument may be: `t(isOn ? 'On' : 'Off')` has two. */
function literalsOf(node: ts.Expression): ts.StringLiteralLike[] {
  if (ts.isStringLiteralLike(node)) return [node]
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression)
  return []
}

function keyOf(text: string, context: ts.Expression | undefined): string {
  if (context === undefined) return text
  return `${ts.isStringLiteralLike(context) ? context.text : context.getText()}|${text}`
}

function valuesOf(node: ts.Expression | undefined): string[] | null {
  if (node === undefined || node.getText() === 'undefined') return []
  if (!ts.isObjectLiteralExpression(node) || node.properties.some(ts.isSpreadAssignment)) return null
  return node.properties.map((property) => property.name?.getText() ?? '')
}

/** A key of an object, a comparison or a case is for the program. */
function isRead(node: ts.StringLiteralLike, source: ts.SourceFile): boolean {
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent.name !== node
  if (ts.isBinaryExpression(parent)) return !/^[!=]==?$/.test(parent.operatorToken.getText(source))
  return !ts.isCaseClause(parent) && !ts.isElementAccessExpression(parent)
}

/** The outline of a picture (SVG 2, section 9.3), or a media query. */
const DRAWN = /^(?=.*[\d…])[MmLlHhVvCcSsQqTtAaZz\d\s.,…-]+$|^\([a-z-]+[: <]/

function looksRead(text: string): boolean {
  if (DRAWN.test(text)) return false
  if (NAMES.has(text) || /^[A-Z][A-Z0-9_]+$|^[A-Z][\w-]*\/|^[A-Z][a-z]+[A-Z]\w*$|^https?:/.test(text))
    return false
  if (/^[\p{Lu}“"(].*\p{Ll}/u.test(text)) return true
  const isStyle =
    /(^| )(flex|grid|text-|px-|py-|items-|rounded|border|bg-|min-|max-|w-|h-|gap-|mt-|hover:)/.test(text)
  return !isStyle && /^…?[\p{L}’',.–…\d-]+( [\p{L}’',.–…\d-]+){2,}[.…?:]?$/u.test(text)
}

/** The names of the values that a text takes, with their kind; tags as `<name>`. */
export function argumentsOf(text: string): string[] {
  const names = new Set<string>()
  const read = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue
      names.add(element.type === TYPE.tag ? `<${element.value}>` : element.value)
      if (element.type === TYPE.tag) read(element.children)
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        for (const { value } of Object.values(element.options)) read(value)
      }
    }
  }
  read(parse(text))
  return [...names].sort()
}
