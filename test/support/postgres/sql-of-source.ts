import ts from '../documents/typescript-api.ts'

const KEYWORD = /\b(?:SELECT|UPDATE|DELETE FROM|INSERT INTO)\b/g

/** A literal that may hold SQL. */
export type SqlText = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression

export function isText(node: ts.Node): node is SqlText {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)
}

/** The function that holds it, or what is declared at the outermost level. */
export function functionOf(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (ts.isFunctionDeclaration(at) && at.name) return at.name.text
    if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent)) return at.name.getText()
  }
  return ''
}

/** Its text, with the constants and functions of the same file put in. A value of another file stands as `«name»`. */
export function sqlOf(node: SqlText, file: ts.SourceFile, within: readonly string[] = []): string {
  if (!ts.isTemplateExpression(node)) return node.text
  const parts = node.templateSpans.map(
    ({ expression, literal }) => textOf(expression, file, within) + literal.text,
  )
  return node.head.text + parts.join('')
}

function textOf(expression: ts.Expression, file: ts.SourceFile, within: readonly string[]): string {
  const called = ts.isCallExpression(expression) ? expression.expression : expression
  if (!ts.isIdentifier(called) || within.includes(called.text)) return `«${called.getText()}»`
  const declared = declarationOf(called.text, file)
  const texts: string[] = []
  const collect = (node: ts.Node) => {
    if (isText(node)) texts.push(sqlOf(node, file, [...within, called.text]))
    else ts.forEachChild(node, collect)
  }
  if (declared) collect(declared)
  return texts.join(' ') || `«${called.text}»`
}

function declarationOf(name: string, file: ts.SourceFile): ts.Node | null {
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement
    if (!ts.isVariableStatement(statement)) continue
    const found = statement.declarationList.declarations.find((one) => one.name.getText() === name)
    if (found) return found
  }
  return null
}

/** The innermost statement around a place, from its keyword to there. */
export function statementBefore(sql: string, index: number): string {
  let depth = 0
  let start = index
  while (start > 0) {
    const character = sql[start - 1]
    if (character === ')') depth++
    if (character === '(' && --depth < 0) break
    start--
  }
  const text = sql.slice(start, index)
  const flat = blankedParentheses(text)
  const [last] = [...flat.matchAll(KEYWORD)].slice(-1)
  return last ? text.slice(last.index) : text
}

export function statementAfter(sql: string, index: number): string {
  let depth = 0
  for (let at = index; at < sql.length; at++) {
    if (sql[at] === '(') depth++
    if (sql[at] === ')' && --depth < 0) return sql.slice(index, at)
  }
  return sql.slice(index)
}

export function withoutParentheses(sql: string): string {
  return blankedParentheses(sql).replaceAll('\0', '')
}

function blankedParentheses(sql: string): string {
  let depth = 0
  return [...sql]
    .map((character) => {
      if (character === ')') depth--
      const shown = depth === 0 ? character : '\0'
      if (character === '(') depth++
      return shown
    })
    .join('')
}
