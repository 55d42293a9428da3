import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset';
import type { CodegenConfig } from '@graphql-codegen/cli';

/**
 * Generates a type for each document, and the file of documents that the server trusts. Apollo Client adds `__typename` to all
 * selections, so the trusted documents have it, too.
 */
const config: CodegenConfig = {
  schema: '../../../schema.graphql',
  documents: ['src/**/*.{ts,tsx}'],
  ignoreNoDocuments: false,
  generates: {
    './src/gql/': {
      preset: 'client',
      presetConfig: {
        persistedDocuments: { hashAlgorithm: 'sha256' },
        fragmentMasking: { unmaskFunctionName: 'readFragment' },
      },
      config: {
        useTypeImports: true,
        enumType: 'string-literal',
        strictScalars: true,
        scalars: { DateTime: 'string', Date: 'string', JSON: 'unknown' },
      },
      documentTransforms: [addTypenameSelectionDocumentTransform],
    },
  },
};

export default config;
