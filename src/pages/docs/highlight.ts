import bash from '@speed-highlight/core/languages/bash.js'
import go from '@speed-highlight/core/languages/go.js'
import http from '@speed-highlight/core/languages/http.js'
import ini from '@speed-highlight/core/languages/ini.js'
import js from '@speed-highlight/core/languages/js.js'
import json from '@speed-highlight/core/languages/json.js'
import py from '@speed-highlight/core/languages/py.js'
import sql from '@speed-highlight/core/languages/sql.js'
import toml from '@speed-highlight/core/languages/toml.js'
import ts from '@speed-highlight/core/languages/ts.js'
import yaml from '@speed-highlight/core/languages/yaml.js'
import { type ShjLanguageData, tokenizeWith } from '@speed-highlight/core/tokenize'

/** The languages by the names in the texts. The package's types leave out that what is optional may also be undefined. */
const LANGUAGES = {
  sh: bash,
  go,
  http,
  ini,
  js,
  json,
  python: py,
  sql,
  toml,
  ts,
  yaml,
} as Record<string, unknown> as Record<string, ShjLanguageData>

/** Calls back with each piece of the code and its kind, as `str` for a string; false for a language without rules. */
export function readCode(
  code: string,
  language: string,
  onPiece: (text: string, kind?: string) => void,
): boolean {
  const rules = LANGUAGES[language]
  if (rules !== undefined) tokenizeWith(code, rules, onPiece, { languages: LANGUAGES })
  return rules !== undefined
}
