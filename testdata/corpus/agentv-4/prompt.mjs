console.log("Grade this answer: {{ output }}");
