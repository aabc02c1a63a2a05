import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import ini from 'highlight.js/lib/languages/ini'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import php from 'highlight.js/lib/languages/php'
import powershell from 'highlight.js/lib/languages/powershell'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'

/** By the names in the texts. TOML has the shape of INI. */
const LANGUAGES = {
  sh: bash,
  go,
  http,
  ini,
  toml: ini,
  js: javascript,
  json,
  nginx,
  php,
  powershell,
  python,
  ruby,
  sql,
  ts: typescript,
  yaml,
}

const highlighter = hljs.newInstance()
highlighter.configure({ classPrefix: 'c-' })
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language)

/** The code as HTML whose words have classes by their kind; null for a language without rules. */
export function highlight(code: string, language: string): string | null {
  if (highlighter.getLanguage(language) === undefined) return null
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value
}
