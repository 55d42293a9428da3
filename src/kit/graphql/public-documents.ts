import {
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { boundsOf } from '../cost/reads';

/** Whether a document has only queries, and none of its fields depends on who asks: then its answers are the same for everybody. */
export function isPublic(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let isForAll = document.definitions.every(
    (definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ||
      (definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.QUERY),
  );
  const Field = () => {
    const field = types.getFieldDef();
    if (!field || boundsOf(field).some(({ isOfCaller }) => isOfCaller)) isForAll = false;
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return isForAll;
}
