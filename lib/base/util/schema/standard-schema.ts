// Lets a tool's schema be used as plain JSON Schema and by everything that takes a Standard Schema.

import { BashError } from '../../errors.js'
import type { InputOf, JsonSchema } from './json-schema.js'
import { preview } from './preview.js'
import { type StandardIssue, validate } from './validate.js'

const draft202012 = 'https://json-schema.org/draft/2020-12/schema'

/**
 * What each target of Standard JSON Schema has as `$schema`. The keywords that `JsonSchema` knows mean the same in all
 * of them; OpenAPI 3.0 allows no `$schema` in a schema object.
 */
const dialects = {
  'draft-2020-12': draft202012,
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  'openapi-3.0': undefined,
} as const

// The interfaces below are those of @standard-schema/spec 1.1.0 (https://standardschema.dev), narrowed to what is
// true here: validation is synchronous, and a path holds property names only.

/** `StandardSchemaV1.Result`. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** `StandardJSONSchemaV1.Options`. */
export interface StandardJsonSchemaOptions {
  /** `'draft-2020-12'`, `'draft-07'` or `'openapi-3.0'`. */
  readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | (string & {})
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** `StandardSchemaV1.Props` and `StandardJSONSchemaV1.Props`. */
export interface StandardProps<Value> {
  readonly version: 1
  readonly vendor: 'bashward'
  readonly validate: (value: unknown) => StandardResult<Value>
  /**
   * Each call gives a new object.
   * @throws BashError `ERR_INVALID_INPUT` for an unknown target
   */
  readonly jsonSchema: {
    readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>
    readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>
  }
  /** For TypeScript only; there is no such property. */
  readonly types?: { readonly input: Value; readonly output: Value } | undefined
}

/** The input of a tool: plain JSON Schema, and with a hidden `~standard` a Standard Schema for `Input`. */
export type InputSchema<Input> = JsonSchema & {
  readonly $schema: string
  readonly '~standard': StandardProps<Input>
}

/** A JSON Schema that is a Standard Schema and a Standard JSON Schema too. */
export type StandardJsonSchema<Schema extends JsonSchema> = Schema & {
  readonly $schema: typeof draft202012
  /** Not enumerable: `JSON.stringify` and spreading give the plain JSON Schema. */
  readonly '~standard': StandardProps<InputOf<Schema>>
}

/** Gives a frozen copy of a schema with `$schema` and `~standard`. */
export function withStandard<const Schema extends JsonSchema>(schema: Schema): StandardJsonSchema<Schema> {
  const { $schema: _, ...keywords } = structuredClone(schema)
  const plain = { $schema: draft202012, ...keywords } as unknown as StandardJsonSchema<Schema>
  const convert = (options: StandardJsonSchemaOptions) => toDialect(plain, options?.target)
  const standard: StandardProps<InputOf<Schema>> = {
    version: 1,
    vendor: 'bashward',
    validate: (value) => {
      const result = validate<Schema>(plain, value)
      return result.ok ? { value: result.value } : { issues: result.issues }
    },
    jsonSchema: { input: convert, output: convert },
  }
  Object.defineProperty(plain, '~standard', { value: freeze(standard) })
  return freeze(plain)
}

function toDialect(schema: JsonSchema, target: unknown): Record<string, unknown> {
  if (typeof target !== 'string' || !Object.hasOwn(dialects, target)) {
    const allowed = Object.keys(dialects).join(', ')
    throw new BashError('ERR_INVALID_INPUT', `target: must be one of ${allowed} (got ${preview(target)})`)
  }
  const $schema = dialects[target as keyof typeof dialects]
  const { $schema: _, ...keywords } = structuredClone(schema)
  return $schema === undefined ? keywords : { $schema, ...keywords }
}

function freeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part)
  return Object.freeze(value)
}
