// Writes Kotlin for the operations of a file. Apollo has a plugin for Gradle only, so this calls the compiler that the plugin calls.

import com.apollographql.apollo.compiler.ApolloCompiler
import com.apollographql.apollo.compiler.CodegenSchemaOptions
import com.apollographql.apollo.compiler.buildCodegenOptions
import com.apollographql.apollo.compiler.buildIrOptions
import com.apollographql.apollo.compiler.codegen.writeTo
import com.apollographql.apollo.compiler.toInputFiles
import java.io.File

fun main(arguments: Array<String>) {
  val (schema, operations, folder) = arguments.map(::File)
  val errors = File("extra.graphqls")
  ApolloCompiler.buildSchemaAndOperationsSources(
    schemaFiles = listOf(schema, errors).toInputFiles(),
    executableFiles = listOf(operations).toInputFiles(),
    codegenSchemaOptions = CodegenSchemaOptions(
      scalarTypeMapping = mapOf("DateTime" to "java.time.Instant"),
      scalarAdapterMapping = mapOf("DateTime" to "murmuration.InstantAdapter"),
      generateDataBuilders = false,
    ),
    irOptions = buildIrOptions(),
    codegenOptions = buildCodegenOptions(packageName = "murmuration"),
    layoutFactory = null,
    operationIdsGenerator = null,
    irOperationsTransform = null,
    javaOutputTransform = null,
    kotlinOutputTransform = null,
    documentTransform = null,
    schemaDocumentTransform = null,
    logger = null,
    operationManifestFile = null,
  ).writeTo(directory = folder, deleteDirectoryFirst = true, codegenSymbolsFile = null)
}
