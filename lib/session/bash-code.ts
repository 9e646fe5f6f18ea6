// A template tag for bash code inside TypeScript.

/**
 * Bash code, written as bash reads it but for `\${` where `${` is meant for bash. Indentation, empty lines and whole
 * lines of comment are left out: bash would parse them in each call.
 */
export function bash(template: TemplateStringsArray, ...values: string[]): string {
  const code = String.raw({ raw: template.raw.map(compact) }, ...values)
  return code.replace(/^\n/, '')
}

function compact(part: string): string {
  return part
    .replace(/\n\s*(?:#.*)?(?=\n)/g, '')
    .replace(/\n\s+/g, '\n')
    .replaceAll('\\${', '${')
}
